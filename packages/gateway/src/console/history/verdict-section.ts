import type { Finding } from "@kindling/diagnosis";
import type { RunRecord } from "@kindling/recorder-client";
import { command } from "../page/commands.ts";
import { html, type Html } from "../page/html.ts";

/** How it ended, why as far as that is known, what helps, and the commands that show more. */
export function verdictSection({ run, findings, logs }: RunRecord): Html {
  const { state, why, namespace, driver, eventLog } = run;
  const hasFailed = findings.some(({ severity }) => severity === "failure");
  // Both are names that mean nothing to a shell: a run with other ones is not read.
  const name = `${namespace}:${driver}`;
  return html`<p class="verdict">
      <b class="state ${state}">${state}</b>${!hasFailed && why !== undefined && html`: ${why}`}
    </p>
    ${
      findings.length > 0 &&
      html`<ul class="findings" aria-label="What was found">
        ${findings.map((finding) => findingItem(finding, hasFailed))}
      </ul>`
    }
    <div class="commands">
      ${eventLog !== undefined && command("Spark's web UI of this run", `kindling ui ${name}`)}
      ${logs.length > 0 && command("its log", `kindling logs ${name}`)}
      ${command("the same in a terminal", `kindling status ${name}`)}
    </div>`;
}

function findingItem(finding: Finding, hasFailed: boolean): Html {
  const { severity, role, summary, details, advice, times, pods } = finding;
  const isFailure = severity === "failure";
  const who = role === "driver" ? "the driver" : pods.length <= 1 ? "an executor" : `${pods.length} executors`;
  const often = times > Math.max(1, pods.length) && ` (${times} times)`;
  // The summary may already contain the first line of an exception.
  const more = details.filter((line) => !summary.startsWith(line));
  return html`<li>
    <b class="${isFailure && "fault"}">${isFailure ? "failed" : hasFailed ? "also" : "note"}</b>:
    ${!isFailure && `${who}: `}${summary}${often}
    ${more.length > 0 && html`<pre class="log details">${more.map((line) => html`<span>${line}</span>`)}</pre>`}
    ${advice !== undefined && html`<p><span class="quiet">hint:</span> ${advice}</p>`}
  </li>`;
}
