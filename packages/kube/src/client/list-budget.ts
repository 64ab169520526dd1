import { protocolFault, type Asked } from "../answers/malformed.ts";
import type { ListOptions } from "./options.ts";
import { kubeError } from "../errors/kube-error.ts";
import { shownPath } from "../errors/quoted.ts";
import { LONGEST_PAGE_BYTES } from "../transport/answer-limits.ts";

const MOST_ITEMS = 1_000_000;
/** A server may return pages that are not full. */
const SPARE_PAGES = 100;
const MOST_BYTES = 16 * 1024 ** 3;
const LONGEST_LIST_MS = 15 * 60_000;

/** What one list may still cost. */
export interface ListBudget {
  readonly pageBytes: number;
  /** Counts a page; throws when the list has become too long. */
  spend(asked: Asked, page: ListPageCost): void;
  /** The list begins again; its cost so far still counts. */
  restart(): void;
}

export interface ListPageCost {
  readonly items: number;
  readonly bytes: number;
  readonly milliseconds: number;
  /** The server's token for the next page. */
  readonly continueToken: string | undefined;
}

/** This limit is the only thing that ends a list if each page says that there is one more. */
export function listBudget(options: ListOptions, pageSize: number): ListBudget {
  const { items = MOST_ITEMS, bytes = MOST_BYTES, milliseconds = LONGEST_LIST_MS } = options.limits ?? {};
  const pages = options.limits?.pages ?? Math.ceil(items / Math.max(1, pageSize)) + SPARE_PAGES;
  const pageBytes = options.limits?.pageBytes ?? LONGEST_PAGE_BYTES;
  const spent = { items: 0, pages: 0, bytes: 0, milliseconds: 0 };
  const tokens = new Set<string>();
  return {
    pageBytes,
    restart: () => tokens.clear(),
    spend(asked, page) {
      spent.items += page.items;
      spent.pages++;
      spent.bytes += page.bytes;
      spent.milliseconds += page.milliseconds;
      if (spent.items > items) throw protocolFault(asked, `the list has more than ${items} items`);
      if (spent.bytes > bytes) throw protocolFault(asked, `the list is longer than ${bytes} bytes`);
      if (page.continueToken === undefined) return;
      if (spent.pages >= pages) throw protocolFault(asked, `the list does not end after ${pages} pages`);
      if (tokens.has(page.continueToken)) throw protocolFault(asked, "the list continues where it has been before");
      tokens.add(page.continueToken);
      if (spent.milliseconds >= milliseconds) throw tooSlow(asked, milliseconds);
    },
  };
}

function tooSlow({ method, path }: Asked, milliseconds: number): Error {
  const context = { method, path: shownPath(path), attempts: 1 };
  const message = `${method} ${context.path}: the list does not end within ${milliseconds} ms`;
  return kubeError({ kind: "timeout", phase: "answer", milliseconds }, message, context);
}
