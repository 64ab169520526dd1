import type { CaseContext } from "@kindling/test-kit/case-context";

/** Which kind of server is under test. */
export type ServerKind = "embedded" | "real";

/** One behaviour that users of a Kubernetes API server can rely on. */
export interface ConformanceCase {
  readonly name: string;
  /** Set if only one kind of server can run the case, with the reason. */
  readonly only?: { readonly server: ServerKind; readonly reason: string };
  /** Whether the case gets its own namespace; a case that stores nothing needs none. */
  readonly namespace: "own" | "none";
  /** Rejects if the server behaves otherwise. */
  readonly run: (context: CaseContext) => Promise<void>;
}

/** The part of a case that its group does not provide. */
export type CaseBody = (context: CaseContext) => Promise<void>;

/** Cases of one subject, each with its own namespace. */
export function inNamespace(subject: string, cases: Readonly<Record<string, CaseBody>>): ConformanceCase[] {
  return Object.entries(cases).map(([name, run]) => ({ name: `${subject}: ${name}`, namespace: "own", run }));
}

/** Cases of one subject that store nothing in a namespace. */
export function withoutNamespace(subject: string, cases: Readonly<Record<string, CaseBody>>): ConformanceCase[] {
  return Object.entries(cases).map(([name, run]) => ({ name: `${subject}: ${name}`, namespace: "none", run }));
}

/** The cases, for only one kind of server. */
export function onlyOn(server: ServerKind, reason: string, cases: readonly ConformanceCase[]): ConformanceCase[] {
  return cases.map((one) => ({ ...one, only: { server, reason } }));
}
