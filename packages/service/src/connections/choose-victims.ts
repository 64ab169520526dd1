/** What is known of a client's connection when another one wants its place. Times are milliseconds of one clock. */
export interface Candidate {
  /** Whose it is: of somebody who has proved who they are, else of its address. */
  readonly client: string;
  /** Nobody has proved to be behind it. */
  readonly isStranger: boolean;
  readonly openedAt: number;
  /** Whether anything has come over it. */
  readonly heard: boolean;
  /** Requests under way. */
  readonly requests: number;
  /** Those of them that send or fetch a file. */
  readonly transfers: number;
  /** Those of them whose answers go on for as long as their clients like, and may be quiet for long: watches. */
  readonly streams: number;
  /** When bytes last moved, or a request ended. */
  readonly movedAt: number;
}

export interface Crowd<C extends Candidate> {
  readonly candidates: ReadonlySet<C>;
  /** How many connections of all a client has. */
  of(client: string): number;
}

// A connection has this long to say who it is: a round trip or two, also with TLS.
const YOUNG_MS = 2_000;
// Between two requests of one client.
const PAUSE_MS = 1_000;
// A slow reader's bytes are taken in jumps.
const STALLED_MS = 30_000;
// Parts of all connections: how many one may keep open between requests, and use for requests, before these are too many;
// and how many are there for strangers, of whom every newcomer is one.
const KEPT_SHARE = 1 / 16;
const USED_SHARE = 1 / 8;
const STRANGERS_SHARE = 1 / 4;
const BATCH_SHARE = 1 / 32;
// A client with no more connections than these keeps its streams, and loses others last: it would only open them again.
const FEW_CONNECTIONS = 4;

/**
 * Who has to go so that a newcomer finds a place, from the first to the last: strangers that have said nothing, that have
 * sent no whole request, whose answer is not taken; what known clients keep open beyond a fair number; where strangers
 * are few, what one client uses beyond a fair number; young strangers, who may be about to say who they are; of clients
 * with many connections those that are kept for the next request, and then other requests; and the same of clients that
 * have few. Never a transfer of a known client that makes progress, nor a stream of one that has few connections.
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

/** Where strangers are few, a young one is worth more than what somebody keeps for later. */
const ORDER_WITH_FEW_STRANGERS: readonly Standing[] = [
  ...ORDER.filter((standing) => standing !== "young" && standing !== "few-busy"),
  "young",
  "few-busy",
];

/**
 * The connections to end for a newcomer: of those that stand lowest, the ones of whoever has most, of these the oldest.
 * In a large crowd several at once, so that it is not gone through for every newcomer. Pure.
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
