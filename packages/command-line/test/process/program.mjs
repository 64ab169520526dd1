// A program for tests of a process's behaviour: its first argument selects the behaviour.
import { KindlingError } from "@kindling/core-spec";
import { runChild, runInterruptible, runProcess } from "../../dist/index.js";

const WORK = {
  code: async (_, [code]) => Number(code),
  lines: async ({ output }) => {
    for (let line = 0; line < 100_000; line++) output.out(`line ${line}\n`);
    return 0;
  },
  secret: async ({ output, secrets }) => {
    secrets.hide("hunter2-and-more");
    output.out("the password is hunter2-and-more\n");
    output.err("so it is: hunter2-and-more\u001B[2J\n");
    return 0;
  },
  refuse: async () => {
    const cause = new Error("the disk is gone");
    throw new KindlingError("FILE_UNREADABLE", "cannot read x", { hint: "mend it", cause });
  },
  fault: async () => {
    throw new TypeError("nobody foresaw this");
  },
  wait: async ({ output, signal, outside: { clock } }) => {
    output.out("waiting\n");
    await new Promise((resolve) => {
      const cancel = clock.after(60_000, resolve);
      signal.addEventListener("abort", () => {
        cancel();
        resolve();
      });
    });
    output.out(`told by ${signal.reason}\n`);
    throw new KindlingError("INTERRUPTED", "interrupted");
  },
  // A program that reports its start, and the signal that ends it.
  child: async ({ outside: { env }, signal }, [place]) => {
    const script =
      "trap 'echo ended by TERM; exit 3' TERM; trap 'echo ended by INT; exit 4' INT; echo started; while :; do sleep 0.05; done";
    return runChild("/bin/sh", ["-c", script], { env, signal, inPlace: place === "in-place" });
  },
  // A program that goes on after an interrupt, as shells do.
  shell: async ({ outside: { env }, signal }) => {
    const script =
      "trap 'echo interrupted $((count += 1))' INT; echo started; while [ \"${count:-0}\" -lt 3 ]; do sleep 0.05; done; exit 5";
    return runInterruptible("/bin/sh", ["-c", script], { env, signal });
  },
  missing: async ({ outside: { env }, signal }, [place]) =>
    runChild("/no/such/program", [], { env, signal, inPlace: place === "in-place" }),
  hang: async ({ output, signal, outside: { clock } }) => {
    signal.addEventListener("abort", () => output.out("told\n"));
    output.out("waiting\n");
    await new Promise((resolve) => clock.after(60_000, resolve));
    return 0;
  },
};

await runProcess(([name, ...rest], context) => WORK[name](context, rest));
