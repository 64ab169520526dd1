import { runPages } from "../docs-commands/run-pages.ts";
import { PAGES_OF_DOCS } from "../docs-commands/pages-of-docs.ts";
import { PAGE_RUNS } from "../docs-commands/table.ts";

// A separate file, because two suites run at a time.
runPages(Object.fromEntries(Object.entries(PAGE_RUNS).filter(([page]) => !(page in PAGES_OF_DOCS))));
