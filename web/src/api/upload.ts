import { Problem, refusalOf } from './problem.ts';
import { session } from './session.ts';

/**
 * Sends a file as a form, and reports how much of it has been sent, which `fetch` cannot.
 * @param onProgress is given the part that is sent, from 0 to 1
 * @returns the body of the answer
 * @throws Problem
 */
export async function upload(path: string, file: File, onProgress: (part: number) => void): Promise<unknown> {
  const form = new FormData();
  form.append('file', file, file.name);
  for (;;) {
    const token = await session.token(new AbortController().signal);
    const response = await send(path, form, token, onProgress);
    const body: unknown = await response.json().catch(() => undefined);
    if (response.ok) return body;
    if (response.status !== 401 || token === undefined || session.state.view) throw refusalOf(response, body);
    await session.refused(token);
  }
}

const send = (path: string, form: FormData, token: string | undefined, onProgress: (part: number) => void) =>
  new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', path);
    if (token !== undefined) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onerror = () => reject(new Problem(0));
    request.onload = () => {
      const lines = request.getAllResponseHeaders().trim().split('\r\n');
      const headers = lines.map((line): [string, string] => {
        const [name = '', ...value] = line.split(': ');
        return [name, value.join(': ')];
      });
      const { status, statusText, responseText } = request;
      resolve(new Response(responseText || null, { status, statusText, headers }));
    };
    request.send(form);
  });
