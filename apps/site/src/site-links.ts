import type MarkdownIt from "markdown-it";
import { targetOf, urlOf } from "./links.ts";

/** VitePress's data about the file that it renders. */
interface Environment {
  readonly path?: string;
  readonly realPath?: string;
}

interface SiteLinks {
  /** The repository's root on the disk. */
  readonly root: string;
  /** Where files that are no pages can be read, such as the branch's page at a host. */
  readonly files: string;
}

/** Changes the links of Markdown files from files to pages. */
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
