import type { IncomingMessage } from "node:http";
import { RecorderError } from "@kindling/recorder-client";
import type { PageAnswer, ReviewedUser } from "@kindling/service";
import { answerWith, PAGE_HEADERS, refusalOf } from "../page/page-answer.ts";
import type { PageFrame } from "../page/page-document.ts";
import { historyFilterOf } from "./history-filter.ts";
import { historyPage } from "./history-page.ts";
import { logAnswer } from "./log-answer.ts";
import { notePage } from "./note-page.ts";
import { OpenLogs } from "./open-logs.ts";
import { runPage } from "./run-page.ts";
import type { RunAddress, VisibleHistory } from "./visible-history.ts";

export interface HistoryRoutesOptions {
  readonly history: VisibleHistory;
  /** Further names that this server is called by. */
  readonly hosts: readonly string[];
  /** The queues that there are now. */
  readonly queues: () => readonly string[];
  /** Told why nothing could be shown. */
  readonly onFailure: (error: unknown) => void;
}

/** Answers a user's requests for what is kept of ended applications; undefined for all other requests. */
export type HistoryRoutes = (request: IncomingMessage, user: ReviewedUser) => Promise<PageAnswer | undefined>;

const HTML = "text/html; charset=utf-8";

export function historyRoutes({ history, hosts, queues, onFailure }: HistoryRoutesOptions): HistoryRoutes {
  const openLogs = new OpenLogs();
  async function shown(
    request: IncomingMessage,
    user: ReviewedUser,
    path: Path,
    frame: PageFrame,
  ): Promise<PageAnswer> {
    const { namespace, uid, log } = path;
    if (namespace === undefined || uid === undefined) {
      const filter = historyFilterOf(path.query);
      const found = await history.list(user, filter);
      return answerWith(request, HTML, historyPage({ frame, filter, found, queues: queues() }));
    }
    if (log !== undefined) {
      return await logOf(user, { namespace, uid }, log, frame);
    }
    const run = await history.run(user, { namespace, uid });
    return run === undefined ? notFound(frame) : answerWith(request, HTML, runPage(run, frame));
  }

  async function logOf(user: ReviewedUser, run: RunAddress, name: string, frame: PageFrame): Promise<PageAnswer> {
    const leave = openLogs.enter(user.username);
    if (leave === undefined) return note(429, "You read many logs at once", frame);
    try {
      const lines = await history.log(user, run, name);
      if (lines !== undefined) return logAnswer(lines, leave);
    } catch (error) {
      leave();
      throw error;
    }
    leave();
    return notFound(frame);
  }

  return async (request, user) => {
    const path = pathOf(request.url ?? "");
    if (path === undefined) return undefined;
    const refusal = refusalOf(request, hosts);
    if (refusal !== undefined) return refusal;
    const frame = { user: user.username, hasHistory: true };
    try {
      return await shown(request, user, path, frame);
    } catch (error) {
      // A list that goes on somewhere else, for example.
      if (error instanceof RecorderError && error.status === 400)
        return note(400, "This address is not understood", frame);
      onFailure(error);
      return note(503, "The history cannot be read at present", frame);
    }
  };
}

interface Path {
  readonly query: URLSearchParams;
  readonly namespace?: string;
  readonly uid?: string;
  readonly log?: string;
}

const RUN = /^\/history\/(?<namespace>[^/]+)\/(?<uid>[^/]+)(?:\/logs\/(?<log>[^/]+))?$/;

function pathOf(url: string): Path | undefined {
  const [path = "", text = ""] = url.split("?", 2);
  const query = new URLSearchParams(text);
  if (path === "/history") return { query };
  const groups = RUN.exec(path)?.groups;
  return groups && { query, ...groups };
}

const SENTENCES: Readonly<Record<number, string>> = {
  400: "It may be cut off, or of another version: begin again with the list.",
  404: "No such application or log is kept, or it is of a namespace in which you may not read the logs of pods.",
  429: "One of them has to end before the next one begins.",
  503: "The recorder, or the cluster that says what you may see, does not answer. What runs now can still be seen.",
};

/** The same for what is not there and for what somebody may not see. */
function notFound(frame: PageFrame): PageAnswer {
  return note(404, "Nothing to see here", frame);
}

function note(status: number, title: string, frame: PageFrame): PageAnswer {
  const headers = { ...PAGE_HEADERS, "cache-control": "private, no-store", "content-type": HTML };
  return { status, headers, body: notePage(title, SENTENCES[status] ?? "", frame) };
}
