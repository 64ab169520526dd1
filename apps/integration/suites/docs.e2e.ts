import { PAGES_OF_DOCS } from "../docs-commands/pages-of-docs.ts";
import { runPages } from "../docs-commands/run-pages.ts";

runPages(PAGES_OF_DOCS);
