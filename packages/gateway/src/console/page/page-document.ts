import { type Content, html } from "./html.ts";

/** What all pages have around their contents. */
export interface PageFrame {
  /** Who has signed in, and can sign out; undefined where nobody has to. */
  readonly user: string | undefined;
  readonly hasHistory: boolean;
}

export interface PageDocument extends PageFrame {
  readonly title: string;
  /** Where this page is: the others are linked. */
  readonly place: "now" | "history" | "application";
  readonly main: Content;
  readonly footer?: Content;
}

/**
 * A whole page: a document that needs only its style sheet. The page of what runs now is refreshed by its script. The same
 * contents give the same text, so it need not be sent again. The links of that page are relative, because it may be behind the
 * API server's proxy; the others are only at the root of a host.
 */
export function pageDocument({ title, place, user, hasHistory, main, footer }: PageDocument): string {
  const isLive = place === "now";
  const root = isLive ? "" : "/";
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${root}page.css" />
        <script src="${root}page.js" defer></script>
        ${isLive && html`<noscript><meta http-equiv="refresh" content="10" /></noscript>`}
      </head>
      <body>
        <header>
          <h1>Kindling gateway</h1>
          ${isLive && html`<p id="freshness" role="status"></p>`}
          ${
            hasHistory &&
            html`<nav aria-label="Pages">
              ${isLive ? html`<a href="." aria-current="true">Now</a>` : html`<a href="/">Now</a>`}
              ${
                place === "history"
                  ? html`<a href="/history" aria-current="true">History</a>`
                  : html`<a href="${root}history">History</a>`
              }
            </nav>`
          }
          ${
            user !== undefined &&
            html`<form class="sign-out" method="post" action="${root}oidc/logout">
              <span>${user}</span> <button>Sign out</button>
            </form>`
          }
        </header>
        <main>${main}</main>
        ${footer !== undefined && html`<footer>${footer}</footer>`}
      </body>
    </html> `;
  return text;
}
