/** A thread that writes the PDF of a certificate: fonts are read and cut for each, which takes longer than a request may hold up others. */
import { parentPort, workerData } from 'node:worker_threads';
import PDFDocument from 'pdfkit';
import { type FontScript, fontFile, fontRuns } from './fonts.ts';
import type { Language } from './schema.ts';

export type PdfTask = {
  language: Language;
  kind: 'exam' | 'course';
  name: string;
  title: string;
  issuer: string;
  earnedAt: Date;
  timeZone: string;
  /** The address of its page. */
  url: string;
};
export type PdfResult = Uint8Array;

const words = {
  en: {
    certificate: 'Certificate',
    to: 'Awarded to',
    exam: 'for passing the exam',
    course: 'for completing the course',
    check: 'Check that it is valid:',
  },
  de: {
    certificate: 'Zertifikat',
    to: 'Verliehen an',
    exam: 'für die bestandene Prüfung',
    course: 'für den abgeschlossenen Kurs',
    check: 'Gültigkeit prüfen:',
  },
  ru: {
    certificate: 'Сертификат',
    to: 'Выдан:',
    exam: 'за сданный экзамен',
    course: 'за пройденный курс',
    check: 'Проверить подлинность:',
  },
};
const margin = 72;
const colors = { text: '#16181d', soft: '#5b6270', line: '#0b6b62' };

async function pdfOf({ language, kind, name, title, issuer, earnedAt, timeZone, url }: PdfTask): Promise<PdfResult> {
  const text = words[language];
  const document = new PDFDocument({
    ...{ size: 'A4', layout: 'landscape', margin, lang: language, displayTitle: true, tagged: true },
    info: { Title: `${text.certificate}: ${title}`, Author: issuer },
  });
  const parts: Buffer[] = [];
  document.on('data', (part: Buffer) => parts.push(part));
  const end = new Promise((resolve) => document.on('end', resolve));
  const registered = new Set<FontScript>();
  const write = (line: string, size: number, color: string, gap: number, link?: string): void => {
    const runs = fontRuns(line);
    document.fontSize(size).fillColor(color);
    for (const [index, run] of runs.entries()) {
      if (!registered.has(run.script)) document.registerFont(run.script, fontFile(run.script));
      registered.add(run.script);
      document.font(run.script).text(run.text, { continued: index < runs.length - 1, ...(link && { link }) });
    }
    document.y += gap;
  };
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(earnedAt);
  document.rect(0, 0, 18, document.page.height).fill(colors.line);
  write(issuer, 14, colors.soft, 26);
  write(text.certificate, 38, colors.line, 18);
  write(text.to, 14, colors.soft, 0);
  // A long name or title has smaller letters, so that all stays on one page.
  write(name, name.length > 60 ? 18 : 30, colors.text, 14);
  write(text[kind], 14, colors.soft, 0);
  write(title, title.length > 80 ? 14 : 22, colors.text, 14);
  write(date, 14, colors.text, 26);
  write(text.check, 10, colors.soft, 0);
  write(url, 10, colors.line, 0, url);
  document.end();
  await end;
  return Buffer.concat(parts);
}

parentPort?.postMessage(await pdfOf(workerData as PdfTask));
