import type { RunRecord } from "@kindling/recorder-client";
import { html, type Html } from "../page/html.ts";
import { logAddress } from "./history-filter.ts";
import { LOG_LINES } from "./visible-history.ts";

/** The end of the driver's log, which most often says why. */
export function logSection({ run, logs }: RunRecord, lines: readonly string[] | undefined): Html {
  const kept = logs.find(({ name }) => name === "driver");
  if (lines === undefined || kept === undefined)
    return html`<p class="quiet">The driver's log is not kept, or cannot be read at present.</p>`;
  const note = lines.length < LOG_LINES ? "All of it." : `The last ${LOG_LINES} lines.`;
  return html`<p>
      ${note} <a href="${logAddress(run, "driver")}">The whole log as text</a>
      ${kept.gap !== undefined && html`<span class="quiet">${kept.gap}</span>`}
    </p>
    <div class="log end" tabindex="0" role="region" aria-label="End of the driver's log">
      <pre>${lines.map(logLine)}</pre>
    </div>`;
}

/** Stack traces are indented with tabs. */
function logLine(line: string): Html {
  return html`<span>${line.replaceAll("\t", "    ")}</span>`;
}
