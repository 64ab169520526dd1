import type { ConformanceCase, ServerKind } from "../src/conformance-case.ts";

const TITLES: Readonly<Record<ServerKind, string>> = {
  embedded: "Only the embedded cluster can run",
  real: "Only a real API server can run",
};

/** The page that lists all cases. */
export function conformanceList(cases: readonly ConformanceCase[]): string {
  const both = cases.filter(({ only }) => only === undefined);
  const only = (server: ServerKind): ConformanceCase[] => cases.filter((one) => one.only?.server === server);
  return `# Conformance

What a Kubernetes API server does as its users see it, in ${cases.length} cases. ${both.length} of them run, unchanged, against the embedded
cluster and against a real Kubernetes 1.34; ${only("embedded").length} can only be run by the embedded cluster, ${only("real").length} only by a real one. Each case
has a namespace of its own and takes away what it made.

\`\`\`sh
npx vitest run --project conformance                       # the embedded cluster
KUBECONFIG=… npx vitest run --project conformance          # and the cluster of this kubeconfig's current context
\`\`\`

The real cluster's user must be an administrator. Cases with pods use images that a node has already: one whose name
ends in \`/pause\`, and one with a shell (busybox, alpine, debian or spark).

This page is made from the cases: \`npx vitest run --project conformance list-page --update\`.

${(["embedded", "real"] as const).map((server) => oneServer(TITLES[server], only(server))).join("\n")}
## Both run

${subjects(both)
  .map(([subject, names]) => `**${subject}** (${names.length}): ${names.join("; ")}.`)
  .join("\n\n")}
`;
}

function oneServer(title: string, cases: readonly ConformanceCase[]): string {
  const rows = cases.map(({ name, only }) => `| ${name} | ${only?.reason ?? ""} |`);
  return `## ${title}\n\n| case | why |\n|---|---|\n${rows.join("\n")}\n`;
}

function subjects(cases: readonly ConformanceCase[]): [subject: string, names: string[]][] {
  const found = new Map<string, string[]>();
  for (const { name } of cases) {
    const [, subject = "", rest = name] = /^(.*?): (.*)$/s.exec(name) ?? [];
    found.set(subject, [...(found.get(subject) ?? []), rest]);
  }
  return [...found];
}
