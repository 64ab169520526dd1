import type { ApplicationOverview } from "@kindling/gateway-client";
import { html, type Html } from "./html.ts";

/**
 * Commands that show more about an application: the gateway may not read logs, but its readers may. Names of pods and
 * namespaces are DNS names, so they have no characters with a meaning for a shell.
 */
export function commandsOf({ namespace, driver, state }: ApplicationOverview): Html {
  const submission = `${namespace}:${driver.pod}`;
  const { uiPort, hasUiTls = false } = driver;
  const ui = `${hasUiTls ? "https" : "http"}://localhost:${uiPort}`;
  return html`<details class="commands">
    <summary>Commands</summary>
    ${command("its state, and why", `kindling status ${submission}`)}
    ${state !== "SchedulingGated" && command("its log", `kindling logs -f ${submission}`)}
    ${
      uiPort !== undefined &&
      state === "Running" &&
      html`${command("Spark's pages", `kubectl -n ${namespace} port-forward pod/${driver.pod} ${uiPort}`)}
        <p class="quiet">then <a href="${ui}" target="_blank" rel="noreferrer">${ui}</a></p>`
    }
  </details>`;
}

/** The script shows the button: without the script nothing can be copied. */
export function command(what: string, text: string): Html {
  return html`<p>
    <span class="quiet">${what}</span> <code>${text}</code>
    <button type="button" class="copy" aria-label="Copy: ${what}">Copy</button>
  </p>`;
}
