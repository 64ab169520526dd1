import { html } from "../page/html.ts";
import { pageDocument, type PageFrame } from "../page/page-document.ts";

/** A page that says in a sentence why there is nothing to see. */
export function notePage(title: string, sentence: string, frame: PageFrame): string {
  return pageDocument({
    ...frame,
    title: `${title} · Kindling gateway`,
    place: "application",
    main: html`<section>
      <h2>${title}</h2>
      <p>${sentence}</p>
    </section>`,
  });
}
