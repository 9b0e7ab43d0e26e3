const outside = /^(?![^\n]*(?:localhost|127\.0\.0\.1))[^\n#]*\b(curl|wget|git clone)\s/m;
const packages = /\b((?:apt|apt-get|yum|dnf|apk|snap|pip3?|npm)(?:\s+-\S+)*\s+(?:install|update|add|i))\b/;
const devices =
  /(?:^|[\s;&|(])(mount|umount|swapon|swapoff|mkswap|losetup|(?:pv|vg|lv)(?:create|extend|display|s)|mdadm|cryptsetup|fdisk|sgdisk|parted|modprobe|iptables|nft|ufw|ip link|kubectl|docker|podman)\s/m;

/** What a script does that a laboratory's container does not allow, in words for its author. */
export function missingPowers(script: string): string[] {
  const code = script.replace(/^[ \t]*#.*$/gm, '');
  const [, download] = packages.exec(code) ?? outside.exec(code) ?? [];
  const [, command] = devices.exec(code) ?? [];
  return [
    ...(download
      ? [`runs \`${download}\`, which fails: laboratories have no internet. An image can have the packages`]
      : []),
    ...(command ? [`runs \`${command}\`, which containers of laboratories do not have or do not allow`] : []),
  ];
}
