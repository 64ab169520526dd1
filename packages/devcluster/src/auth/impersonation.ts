import type { IncomingMessage } from "node:http";
import type { Attributes } from "../api/routes/service.ts";
import { internalError } from "../api/status/errors.ts";
import { ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED, type User } from "./user.ts";

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;
const EXTRA = "impersonate-extra-";

/** What the headers of a request ask for. */
interface Wish {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/**
 * Who a request is made as: its user, or the one that its `Impersonate-*` headers name (what `kubectl --as` sends).
 *
 * @param authorize throws an ApiError 403 for what the user may not do.
 * @throws ApiError 403 if the user may not act for the other, 500 for headers that name no user, as the real server has it.
 */
export function impersonated(
  request: IncomingMessage,
  user: User,
  authorize: (user: User, attributes: Attributes) => void,
): User {
  const wish = readWish(request);
  if (wish === undefined) return user;
  for (const attributes of neededRights(wish)) authorize(user, attributes);
  const uid = wish.uid === "" ? {} : { uid: wish.uid };
  return { name: wish.name, groups: allGroups(wish), ...uid, extra: wish.extra };
}

function readWish({ headersDistinct: headers }: IncomingMessage): Wish | undefined {
  const one = (name: string): string => headers[name]?.[0] ?? "";
  const extra = Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith(EXTRA))
      .map(([name, values = []]) => [decodeName(name.slice(EXTRA.length)), values]),
  );
  const wish = {
    name: one("impersonate-user"),
    uid: one("impersonate-uid"),
    groups: headers["impersonate-group"] ?? [],
    extra,
  };
  if (wish.name !== "") return wish;
  if (wish.uid === "" && wish.groups.length === 0 && Object.keys(extra).length === 0) return undefined;
  throw internalError("requested groups, a uid or extras without impersonating a user");
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Acting for someone else is a right of its own for each thing that is asked for. */
function neededRights({ name, uid, groups, extra }: Wish): Attributes[] {
  const right = (group: string, resource: string, of: string, more: object = {}): Attributes => ({
    kind: "resource",
    verb: "impersonate",
    group,
    version: "v1",
    resource,
    subresource: "",
    namespace: "",
    name: of,
    ...more,
  });
  const [, namespace, account] = SERVICE_ACCOUNT.exec(name) ?? [];
  return [
    account === undefined ? right("", "users", name) : right("", "serviceaccounts", account, { namespace }),
    ...groups.map((group) => right("", "groups", group)),
    ...(uid === "" ? [] : [right("authentication.k8s.io", "uids", uid)]),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => right("authentication.k8s.io", "userextras", value, { subresource: key })),
    ),
  ];
}

function allGroups({ name, groups }: Wish): string[] {
  const [, namespace = ""] = SERVICE_ACCOUNT.exec(name) ?? [];
  const own =
    namespace !== "" && groups.length === 0
      ? ["system:serviceaccounts", `system:serviceaccounts:${namespace}`]
      : [...groups];
  const everyone = name === ANONYMOUS.name ? UNAUTHENTICATED : AUTHENTICATED;
  return own.includes(AUTHENTICATED) || own.includes(everyone) ? own : [...own, everyone];
}
