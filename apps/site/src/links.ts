import { posix } from "node:path";
import { pages } from "./pages.ts";

const PAGES: ReadonlySet<string> = new Set(pages());

/** The target of a link in a Markdown file. */
export type Target =
  | { readonly kind: "outside" }
  | { readonly kind: "page"; readonly page: string; readonly anchor: string }
  | { readonly kind: "file"; readonly path: string };

/**
 * The target of a link.
 *
 * @param page the file with the link, from the repository's root
 * @param href as in the file, relative to its folder
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

/** The URL of a page on the site: a folder's README is the folder's page. */
export function urlOf(page: string): string {
  return `/${page.replace(/README\.md$/, "").replace(/\.md$/, ".html")}`;
}
