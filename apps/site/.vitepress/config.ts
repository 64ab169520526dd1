import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vitepress";
import manifest from "../../../package.json" with { type: "json" };
import { ROOT } from "../src/pages.ts";
import { copyCommands } from "../src/copy-commands.ts";
import { searchBoost, searchTokens } from "../src/search-boost.ts";
import { sidebar } from "../src/sidebar.ts";
import { siteLinks } from "../src/site-links.ts";
import { slug } from "../src/slug.ts";

/** The path that the site is served from, such as `/kindling/`. */
const base = process.env["KINDLING_SITE_BASE"] ?? "/";
/** Where the repository's other files can be read. */
const files = `${manifest.repository.url.replace(/^git\+|\.git$/g, "")}/blob/main`;

/** Words in titles, and guides, count more. */
const SEARCH = {
  fuzzy: 0.2,
  prefix: true,
  boost: { title: 4, text: 2, titles: 1 },
  boostDocument: searchBoost,
};

export default defineConfig({
  title: "Kindling",
  description: "Apache Spark on Kubernetes, without a JVM in the way",
  base,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${base}favicon.svg` }]],
  srcDir: ROOT,
  // The tree contains other Markdown, such as that of tests and change logs.
  srcExclude: [
    "**/CHANGELOG.md",
    "**/test/**",
    "**/dist/**",
    "**/api/**",
    "apps/**",
    "tools/**",
    "packages/test-*/**/fixtures/**",
  ],
  rewrites: (page) => page.replace(/README\.md$/, "index.md"),
  lastUpdated: false,
  cleanUrls: false,
  vite: { publicDir: fileURLToPath(new URL("../public", import.meta.url)), plugins: [vueForPages()] },
  markdown: {
    anchor: { slugify: slug },
    headers: { slugify: slug },
    toc: { slugify: slug },
    theme: { light: "github-light", dark: "github-dark" },
    languageAlias: { console: "shellsession" },
    codeTransformers: [copyCommands],
    config: (md) => siteLinks(md, { root: ROOT, files }),
  },
  transformPageData(page) {
    if (page.filePath === "README.md") Object.assign(page.frontmatter, HOME);
    if (WIDE.has(page.filePath)) Object.assign(page.frontmatter, { aside: false, pageClass: "wide" });
  },
  themeConfig: {
    logo: "/favicon.svg",
    sidebar: sidebar().map((section) => ({ ...section, items: [...section.items] })),
    nav: [
      { text: "Quick start", link: "/docs/quick-start.html" },
      { text: "Commands", link: "/docs/cli.html" },
      { text: "Keys", link: "/docs/configuration.html" },
      { text: "Troubleshooting", link: "/docs/troubleshooting.html" },
    ],
    outline: { level: [2, 3] },
    search: {
      provider: "local",
      options: { detailedView: true, miniSearch: { options: { tokenize: searchTokens }, searchOptions: SEARCH } },
    },
    docFooter: { prev: "Before", next: "Next" },
  },
});

/** Pages that consist mainly of wide tables. */
const WIDE: ReadonlySet<string> = new Set(
  [
    ...["configuration", "errors", "mistakes", "metrics", "chart-values", "operator-chart-values", "troubleshooting"],
    "compatibility",
  ].map((name) => `docs/${name}.md`),
);

/** Pages become Vue components, but Vue is not installed where they are: they use the Vue of this package. */
function vueForPages(): Plugin {
  return {
    name: "vue-for-pages",
    enforce: "pre",
    async resolveId(id, importer) {
      if (!/^vue(\/|$)/.test(id) || importer?.endsWith(".md") !== true) return null;
      return await this.resolve(id, fileURLToPath(import.meta.url), { skipSelf: true });
    },
  };
}

/** The front page: the README with a heading. */
const HOME = {
  layout: "home",
  hero: {
    name: "Kindling",
    text: "Apache Spark on Kubernetes, without a JVM in the way",
    tagline: "spark-submit's own arguments, the same pods, a small part of the time. Spark stays stock.",
    image: { src: "/favicon.svg", alt: "a flame" },
    actions: [
      { theme: "brand", text: "Quick start", link: "/docs/quick-start.html" },
      { theme: "alt", text: "From spark-submit", link: "/docs/from-spark-submit.html" },
      { theme: "alt", text: "How it works", link: "/docs/how-it-works.html" },
    ],
  },
};
