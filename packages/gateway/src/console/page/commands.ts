import type { ApplicationOverview } from "@kindling/gateway-client";
import { html, type Html } from "./html.ts";

/**
 * What to type to see more of an application: a page of the gateway's may not read logs, and its readers may. Names of pods
 * and namespaces are DNS labels, so no shell finds anything in them.
 */
export function commandsOf({ namespace, driver, state }: ApplicationOverview): Html {
  const submission = `${namespace}:${driver.pod}`;
  const { uiPort } = driver;
  return html`<details class="commands">
    <summary>Commands</summary>
    ${command("how it is, and why", `kindling status ${submission}`)}
    ${state !== "SchedulingGated" && command("its log", `kindling logs -f ${submission}`)}
    ${
      uiPort !== undefined &&
      state === "Running" &&
      html`${command("Spark's pages", `kubectl -n ${namespace} port-forward pod/${driver.pod} ${uiPort}`)}
        <p class="quiet">
          then <a href="http://localhost:${uiPort}" target="_blank" rel="noreferrer">http://localhost:${uiPort}</a>
        </p>`
    }
  </details>`;
}

/** The script shows the button: without it nothing can be copied. */
function command(what: string, text: string): Html {
  return html`<p>
    <span class="quiet">${what}</span> <code>${text}</code>
    <button type="button" class="copy" aria-label="Copy: ${what}">Copy</button>
  </p>`;
}
