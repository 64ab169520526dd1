import type MarkdownIt from "markdown-it";
import { targetOf, urlOf } from "./links.ts";

/** What VitePress says of the file that it renders. */
interface Environment {
  readonly path?: string;
  readonly realPath?: string;
}

interface SiteLinks {
  /** The repository's root on the disk. */
  readonly root: string;
  /** Where files that are no pages can be read, such as a host's page of the branch. */
  readonly files: string;
}

/** Makes the links of Markdown files, which lead from file to file, lead from page to page. */
export function siteLinks(md: MarkdownIt, { root, files }: SiteLinks): void {
  md.core.ruler.push("site-links", (state) => {
    const { path = "", realPath = path } = state.env as Environment;
    const page = realPath.startsWith(root) ? realPath.slice(root.length) : path;
    for (const { children } of state.tokens) {
      for (const token of children ?? []) {
        if (token.type !== "link_open") continue;
        const target = targetOf(page, token.attrGet("href") ?? "");
        if (target.kind === "page") {
          token.attrSet(
            "href",
            `${target.page === page ? "" : urlOf(target.page)}${target.anchor && `#${target.anchor}`}`,
          );
        } else if (target.kind === "file") {
          token.attrSet("href", `${files}/${target.path}`);
        }
      }
    }
  });
}
