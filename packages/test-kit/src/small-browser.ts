import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";

/** A page that a browser shows after it has followed all redirects. */
export interface ShownPage {
  readonly url: URL;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** A browser without scripts: it keeps cookies for each host, follows redirects, and sends forms. */
export interface SmallBrowser {
  open(url: string | URL, options?: { readonly accept?: string; readonly follows?: boolean }): Promise<ShownPage>;
  /** Sends the form of a page, with its hidden fields and these. */
  submit(page: ShownPage, fields?: Readonly<Record<string, string>>): Promise<ShownPage>;
  /** Sends a form that is on no page. */
  send(url: URL, fields: Readonly<Record<string, string>>): Promise<ShownPage>;
  /** All cookies, as servers have set them. */
  readonly set: readonly string[];
}

const MOST_REDIRECTS = 20;

/** @param ca the authorities of https servers, as PEM */
export function smallBrowser(ca: string): SmallBrowser {
  const jars = new Map<string, Map<string, string>>();
  const set: string[] = [];

  async function go(method: string, url: URL, body: string | undefined, accept: string): Promise<ShownPage> {
    const jar = jars.get(url.hostname + url.port) ?? new Map<string, string>();
    jars.set(url.hostname + url.port, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const send = url.protocol === "https:" ? secureRequest : plainRequest;
    const form = body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
    return await new Promise((resolve, reject) => {
      const headers = { accept, ...(cookie !== "" && { cookie }), ...form };
      const outgoing = send(url, { method, ca, headers, agent: false }, (answer) => {
        for (const text of answer.headers["set-cookie"] ?? []) {
          set.push(text);
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
          if (value === "" || /Max-Age=0|expires=Thu, 01 Jan 1970/i.test(text)) jar.delete(name);
          else jar.set(name, value);
        }
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () =>
          resolve({
            url,
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }

  async function followed(first: ShownPage, accept: string): Promise<ShownPage> {
    let page = first;
    for (let count = 0; page.status >= 300 && page.status < 400; count += 1) {
      if (count > MOST_REDIRECTS) throw new Error(`${page.url.href} redirects without end`);
      page = await go("GET", new URL(String(page.headers["location"]), page.url), undefined, accept);
    }
    return page;
  }

  return {
    set,
    async open(url, { accept = "text/html", follows = true } = {}) {
      const page = await go("GET", new URL(url), undefined, accept);
      return follows ? await followed(page, accept) : page;
    },
    async submit(page, fields = {}) {
      const [, action = ""] = /<form[^>]*action="([^"]*)"/.exec(page.text) ?? [];
      const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
      const body = new URLSearchParams({
        ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])),
        ...fields,
      });
      return await followed(await go("POST", new URL(action, page.url), body.toString(), "text/html"), "text/html");
    },
    send: (url, fields) => go("POST", url, new URLSearchParams(fields).toString(), "application/json"),
  };
}
