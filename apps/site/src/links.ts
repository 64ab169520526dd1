import { posix } from "node:path";
import { pages } from "./pages.ts";

const PAGES: ReadonlySet<string> = new Set(pages());

/** What a link of a Markdown file leads to. */
export type Target =
  | { readonly kind: "outside" }
  | { readonly kind: "page"; readonly page: string; readonly anchor: string }
  | { readonly kind: "file"; readonly path: string };

/**
 * What a link leads to.
 *
 * @param page the file that has the link, from the repository's root
 * @param href as the file has it, relative to its folder
 */
export function targetOf(page: string, href: string): Target {
  if (/^[a-z]+:/i.test(href)) return { kind: "outside" };
  const [path = "", anchor = ""] = href.split("#");
  if (path === "") return { kind: "page", page, anchor };
  const target = posix.normalize(posix.join(posix.dirname(page), path)).replace(/\/$/, "");
  const readme = posix.join(target, "README.md");
  for (const name of [target, readme]) if (PAGES.has(name)) return { kind: "page", page: name, anchor };
  return { kind: "file", path: target };
}

/** Where a page is on the site: a folder's README is the folder's page. */
export function urlOf(page: string): string {
  return `/${page.replace(/README\.md$/, "").replace(/\.md$/, ".html")}`;
}
