import { isRecord } from "../plain-data.ts";
import { ANY_ACCOUNT } from "./field-powers.ts";
import type { Power } from "./power.ts";

const SPEC_TOKEN = ["spec", "automountServiceAccountToken"];

/** The account that a pod runs as. */
export function accountOf(spec: unknown): string {
  return namedAccount(spec) ?? "default";
}

/** What must be given to a pod so that it may have a token of its account that the API server accepts. */
export function tokenNeeds(account: string): string[] {
  return [`token of ${account}`, `token of ${ANY_ACCOUNT}`];
}

/** The token of a pod that asks for the token of its account. A pod that does not ask gets none. */
export function tokenPowers(spec: unknown): Power[] {
  if (!isRecord(spec) || spec["automountServiceAccountToken"] !== true) return [];
  const account = accountOf(spec);
  return [
    {
      path: SPEC_TOKEN,
      words: `the token of service account ${account}`,
      needs: tokenNeeds(account),
      gives: [],
      allowing: [
        { path: SPEC_TOKEN, value: true },
        { path: ["spec", "serviceAccountName"], value: account },
      ],
    },
  ];
}

/** What a pod in the cluster gives to its executors: the token of its account, if it mounts the token itself. */
export function tokensOfPod(spec: unknown): string[] {
  return hasToken(spec) ? tokenNeeds(accountOf(spec)).slice(0, 1) : [];
}

/** An allowance that names an account also allows its token, unless it says otherwise. */
export function tokensOfAllowance(spec: unknown): string[] {
  if (!isRecord(spec)) return [];
  const account = namedAccount(spec);
  const automount = spec["automountServiceAccountToken"];
  if (account === undefined) return automount === true ? tokenNeeds(ANY_ACCOUNT).slice(0, 1) : [];
  return automount === false ? [] : tokenNeeds(account).slice(0, 1);
}

function namedAccount(spec: unknown): string | undefined {
  if (!isRecord(spec)) return undefined;
  const names = [spec["serviceAccountName"], spec["serviceAccount"]];
  return names.find((name): name is string => typeof name === "string" && name !== "");
}

/** A token without an audience is for the API server (`ServiceAccountTokenProjection`). */
function hasToken(spec: unknown): boolean {
  const volumes = isRecord(spec) ? spec["volumes"] : undefined;
  if (!Array.isArray(volumes)) return false;
  return volumes.some((volume: unknown) => {
    const projected = isRecord(volume) ? volume["projected"] : undefined;
    const sources = isRecord(projected) ? projected["sources"] : undefined;
    return Array.isArray(sources) && sources.some(isOfApiServer);
  });
}

function isOfApiServer(source: unknown): boolean {
  const token = isRecord(source) ? source["serviceAccountToken"] : undefined;
  return isRecord(token) && (token["audience"] ?? "") === "";
}
