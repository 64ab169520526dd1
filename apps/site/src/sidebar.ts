import { existsSync } from "node:fs";
import { join } from "node:path";
import { urlOf } from "./links.ts";
import { pages, ROOT } from "./pages.ts";

interface Group {
  readonly title: string;
  /** Files from the repository's root, each with its name in the sidebar. A missing file is left out. */
  readonly pages: readonly (readonly [page: string, text: string])[];
  readonly collapsed?: boolean;
}

/** The tasks of readers, in the order of reading. */
const GROUPS: readonly Group[] = [
  {
    title: "Start",
    pages: [
      ["README.md", "What Kindling is"],
      ["docs/README.md", "All pages, by reader"],
      ["docs/quick-start.md", "Quick start"],
      ["docs/install.md", "Install it in a cluster"],
      ["docs/from-spark-submit.md", "Coming from spark-submit"],
      ["docs/from-kubeflow-operator.md", "Coming from the kubeflow operator"],
      ["docs/adopting.md", "Questions of a platform team"],
      ["packages/dev/README.md", "A cluster on your machine"],
    ],
  },
  {
    title: "Run applications",
    pages: [
      ["docs/local-files.md", "Local files"],
      ["docs/python-packages.md", "Python packages: wheels, venv, conda"],
      ["docs/dependencies.md", "Files and packages, in detail"],
      ["docs/interactive.md", "Shells, notebooks, Connect and Thrift servers"],
      ["docs/applications.md", "Looking after applications"],
      ["docs/history.md", "What remains of applications"],
      ["docs/scheduler.md", "The scheduler"],
      ["docs/submission-server.md", "Submitting over HTTP"],
      ["docs/operator.md", "SparkApplication objects: the operator"],
      ["docs/spark-submit-callers.md", "Airflow, Kyuubi, Livy and others"],
      ["docs/proxies.md", "Proxies"],
    ],
  },
  {
    title: "When something is wrong",
    pages: [
      ["docs/troubleshooting.md", "By message"],
      ["docs/doctor.md", "Check an installation"],
      ["docs/mistakes.md", "What is printed of mistakes"],
      ["docs/errors.md", "Errors and exit codes"],
    ],
  },
  {
    title: "Operate",
    pages: [
      ["docs/operating.md", "Operating and upgrading"],
      ["docs/kept-shuffle.md", "Kept shuffle files"],
      ["docs/nodes.md", "Clusters whose nodes come and go"],
      ["docs/memory.md", "Memory that heals"],
      ["docs/kueue.md", "Spark under the quotas of Kueue"],
      ["docs/restricted-clusters.md", "Clusters with restrictions"],
      ["docs/cluster.md", "What a cluster needs"],
      ["docs/security.md", "Security model"],
      ["docs/compatibility.md", "Compatibility"],
      ["docs/support.md", "Support"],
      ["deploy/images/README.md", "Images"],
      ["deploy/air-gap/README.md", "An archive without the internet"],
      ["deploy/helm/kindling/README.md", "The chart"],
      ["deploy/helm/kindling-operator/README.md", "The operator's chart"],
    ],
  },
  {
    title: "Extend",
    pages: [
      ["docs/writing-a-step.md", "Writing a step"],
      ["docs/steps.md", "Steps: the rules"],
    ],
  },
  {
    title: "Reference",
    pages: [
      ["docs/configuration.md", "Configuration keys"],
      ["docs/cli.md", "Commands"],
      ["docs/http-apis.md", "HTTP APIs"],
      ["docs/metrics.md", "Metrics"],
      ["docs/chart-values.md", "Chart values"],
      ["docs/operator-chart-values.md", "The operator's chart values"],
      ["packages/gateway/docs/settings.md", "The gateway's settings"],
      ["packages/staging-server/docs/settings.md", "The staging server's settings"],
      ["packages/submission-server/docs/settings.md", "The submission server's settings"],
      ["packages/operator/docs/flags.md", "The operator's flags"],
      ["packages/operator/docs/metrics.md", "The operator's metrics"],
      ["docs/spark-submit.md", "What is spark-submit's, and what is not"],
      ["docs/spark-versions.md", "Differences between Spark versions"],
      ["docs/glossary.md", "Glossary"],
    ],
  },
  {
    title: "How it works",
    pages: [
      ["docs/how-it-works.md", "How it works"],
      ["docs/architecture.md", "The code's map"],
      ["docs/rooms.md", "Where things are"],
      ["docs/benchmarks.md", "Benchmarks"],
      ["benchmarks/README.md", "The benchmarks' commands"],
      ["recordings/README.md", "Recordings of Spark"],
      ["docs/decisions/README.md", "Decisions"],
    ],
  },
  {
    title: "Taking part",
    pages: [
      ["CONTRIBUTING.md", "Contributing"],
      ["SECURITY.md", "Reporting a hole"],
      ["GOVERNANCE.md", "How decisions are made"],
      ["ROADMAP.md", "Where it goes"],
    ],
  },
];

interface Item {
  readonly text: string;
  readonly link: string;
}

interface Section {
  readonly text: string;
  readonly collapsed: boolean;
  readonly items: readonly Item[];
}

/** The sidebar. It contains every page: packages, examples and decisions are at the end, by name. */
export function sidebar(): readonly Section[] {
  const named = new Set(GROUPS.flatMap((group) => group.pages.map(([page]) => page)));
  const others = pages().filter((page) => !named.has(page));
  const below = (folder: string): readonly (readonly [string, string])[] =>
    others.filter((page) => page.startsWith(folder)).map((page) => [page, nameOf(page)]);
  const folders = ["packages/", "contrib/", "examples/", "docs/decisions/"];
  const rest = others.filter((page) => !folders.some((folder) => page.startsWith(folder)));
  return [
    ...GROUPS,
    { title: "More", pages: rest.map((page) => [page, nameOf(page)] as const) },
    { title: "Packages", pages: below("packages/"), collapsed: true },
    { title: "Examples", pages: [...below("contrib/"), ...below("examples/")], collapsed: true },
    { title: "Decisions, one by one", pages: below("docs/decisions/"), collapsed: true },
  ]
    .map(({ title, pages: listed, collapsed = false }: Group) => ({
      text: title,
      collapsed,
      items: listed
        .filter(([page]) => existsSync(join(ROOT, page)))
        .map(([page, text]) => ({ text, link: urlOf(page) })),
    }))
    .filter(({ items }) => items.length > 0);
}

/** `packages/gateway/README.md` is `gateway`, `docs/decisions/0003-no-aws-sdk.md` is `0003 no aws sdk`. */
function nameOf(page: string): string {
  const [name = ""] = page
    .replace(/\/README\.md$|\.md$/, "")
    .split("/")
    .slice(-1);
  return name.replace(/^_/, "").replaceAll("-", " ");
}
