/** Pixels of each side: twice the size that the service stores. */
const size = 512;

/**
 * Crops a square from a picture.
 * @param area in pixels of the picture after the rotation
 * @param degrees clockwise, a multiple of 90
 */
export async function cropPicture(
  file: Blob,
  area: { x: number; y: number; width: number; height: number },
  degrees: number,
): Promise<Blob> {
  // Upright, as the browser shows it, regardless of the camera's orientation.
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const isSideways = degrees % 180 !== 0;
  const turned = isSideways
    ? { width: picture.height, height: picture.width }
    : { width: picture.width, height: picture.height };
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: size, height: size });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser has no canvas');
  context.imageSmoothingQuality = 'high';
  context.scale(size / area.width, size / area.height);
  context.translate(turned.width / 2 - area.x, turned.height / 2 - area.y);
  context.rotate((degrees * Math.PI) / 180);
  context.drawImage(picture, -picture.width / 2, -picture.height / 2);
  picture.close();
  return await new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture cannot be written'))), 'image/png'),
  );
}
