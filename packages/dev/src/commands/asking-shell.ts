import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Env } from "@kindling/outside";
import { type Syntax, syntaxOf } from "./shells.ts";

/**
 * The syntax of the calling shell: this process's parent, or the parent of `kindling`, which has started this process. The
 * variable SHELL names the login shell, but a script may use another one: so SHELL counts only if no shell is found.
 */
export function syntaxOfAskingShell(env: Env, parent: number): Syntax {
  const found = syntaxOf(commandOf(parent)) ?? (isKindling(parent) ? syntaxOf(commandOf(parentOf(parent))) : undefined);
  return found ?? syntaxOf(basename(env["SHELL"] ?? "")) ?? "sh";
}

function commandOf(pid: number): string {
  return textOf(pid, "comm").trim();
}

function isKindling(pid: number): boolean {
  const [, script = ""] = textOf(pid, "cmdline").split("\0");
  return /^kindling(?:\.c?js)?$/.test(basename(script));
}

/** proc(5): the state and the parent come after the command in parentheses. */
function parentOf(pid: number): number {
  const stat = textOf(pid, "stat");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
}

function textOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
