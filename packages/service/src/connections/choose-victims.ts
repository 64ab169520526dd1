/** What is known about a client's connection when another one wants its place. Times are milliseconds of one clock. */
export interface Candidate {
  /** The client: an authenticated client, else the source address. */
  readonly client: string;
  /** No client has authenticated on it. */
  readonly isStranger: boolean;
  readonly openedAt: number;
  /** Whether anything has come over it. */
  readonly heard: boolean;
  /** How many requests are in progress. */
  readonly requests: number;
  /** How many of these send or fetch a file. */
  readonly transfers: number;
  /** How many of these are watches: their answers last as long as the client likes, and may be quiet for a long time. */
  readonly streams: number;
  /** When bytes last moved, or a request ended. */
  readonly movedAt: number;
}

export interface Crowd<C extends Candidate> {
  readonly candidates: ReadonlySet<C>;
  /** How many of the connections a client has. */
  of(client: string): number;
}

// How long a new connection may take to authenticate: one or two round trips, also with TLS.
const YOUNG_MS = 2_000;
// A normal pause between two requests of one client.
const PAUSE_MS = 1_000;
// A slow reader takes its bytes in jumps.
const STALLED_MS = 30_000;
// Shares of all connections: how many a client may keep open between requests; how many it may use for requests; and how many
// are for strangers. Every new connection is a stranger at first.
const KEPT_SHARE = 1 / 16;
const USED_SHARE = 1 / 8;
const STRANGERS_SHARE = 1 / 4;
const BATCH_SHARE = 1 / 32;
// A client with at most this many connections keeps its streams and loses other connections last, because it would only open
// them again.
const FEW_CONNECTIONS = 4;

/**
 * Which connections are closed to make room for a new one, in this order. First strangers: those that have sent nothing,
 * those that have sent no whole request, and those that do not read their answer. Then connections that known clients keep
 * open beyond a fair number. Then, if there are few strangers, connections that one client uses beyond a fair number. Then
 * young strangers, which may be about to authenticate. Then, of clients with many connections, those kept for the next
 * request, and after these other requests. Last the same of clients with few connections. Transfers of known clients that
 * make progress are never closed, and neither are streams of clients with few connections.
 */
const ORDER = [
  "silent",
  "idle",
  "answered",
  "hoarded",
  "overused",
  "young",
  "kept",
  "busy",
  "few-kept",
  "few-busy",
] as const;
type Standing = (typeof ORDER)[number];

/** If there are few strangers, a young one is worth more than a connection that is kept for later. */
const ORDER_WITH_FEW_STRANGERS: readonly Standing[] = [
  ...ORDER.filter((standing) => standing !== "young" && standing !== "few-busy"),
  "young",
  "few-busy",
];

/**
 * The connections to close for a new one: of those with the lowest rank, the oldest ones of the client that has most. If
 * there are very many connections, several at once, so that they are not all checked for every new connection. Pure.
 */
export function chooseVictims<C extends Candidate>(crowd: Crowd<C>, now: number): readonly C[] {
  const { candidates } = crowd;
  let strangers = 0;
  for (const { isStranger } of candidates) if (isStranger) strangers++;
  const fewStrangers = strangers < candidates.size * STRANGERS_SHARE;
  const ranked: { readonly candidate: C; readonly rank: number; readonly others: number }[] = [];
  for (const candidate of candidates) {
    const others = crowd.of(candidate.client);
    const standing = standingOf(candidate, { now, others, all: candidates.size, fewStrangers });
    if (standing !== undefined) ranked.push({ candidate, rank: rankOf(standing, fewStrangers), others });
  }
  ranked.sort((a, b) => a.rank - b.rank || b.others - a.others || a.candidate.openedAt - b.candidate.openedAt);
  return ranked
    .slice(0, Math.max(1, Math.floor(candidates.size * BATCH_SHARE)))
    .filter(({ rank }) => rank === ranked[0]?.rank)
    .map(({ candidate }) => candidate);
}

function rankOf(standing: Standing, fewStrangers: boolean): number {
  return (fewStrangers ? ORDER_WITH_FEW_STRANGERS : ORDER).indexOf(standing);
}

interface Round {
  readonly now: number;
  readonly others: number;
  readonly all: number;
  readonly fewStrangers: boolean;
}

function standingOf(candidate: Candidate, { now, others, all, fewStrangers }: Round): Standing | undefined {
  const { isStranger, openedAt, heard, requests, transfers, streams, movedAt } = candidate;
  if (isStranger) {
    if (now - openedAt < YOUNG_MS) return "young";
    if (requests > 0) return "answered";
    return heard ? "idle" : "silent";
  }
  const quiet = now - movedAt;
  const hasFew = others <= FEW_CONNECTIONS;
  if (requests === 0) {
    if (others > Math.max(1, all * KEPT_SHARE) && quiet >= PAUSE_MS) return "hoarded";
    return hasFew ? "few-kept" : "kept";
  }
  if (transfers > 0 && quiet < STALLED_MS) return undefined;
  if (streams > 0 && hasFew) return undefined;
  if (fewStrangers && others > Math.max(1, all * USED_SHARE)) return "overused";
  return hasFew ? "few-busy" : "busy";
}
