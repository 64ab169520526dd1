import type { Tools } from "../host/tools.ts";
import type { Stream } from "./container-log.ts";
import type { ContainerUser } from "./container-user.ts";

/** Whether containers are made with the rights of root, or in a user namespace with only the own user. */
export type Mode = "root" | "user";

export interface SetUp {
  readonly mode: Mode;
  readonly tools: Tools;
  /** The mount table, the new root and the pipes for the output, as paths of this machine. */
  readonly mountTable: string;
  readonly root: string;
  readonly pipes: Readonly<Record<Stream, string>>;
  readonly hostname: string;
  readonly user: ContainerUser;
  /** Whether a program may get more rights than the program that starts it. */
  readonly mayGainRights: boolean;
  readonly workingDirectory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

// The capabilities that container runtimes leave to root.
const CAPABILITIES = [
  "chown", "dac_override", "fowner", "fsetid", "kill", "setgid", "setuid", "setpcap", "net_bind_service", "net_raw",
  "sys_chroot", "mknod", "audit_write", "setfcap",
]; // prettier-ignore

/** The flags of `unshare` for a container. The container and all its processes die when the process dies that started it. */
export function unshareFlags(mode: Mode): string[] {
  const user = mode === "user" ? ["--user", "--map-root-user"] : [];
  return [...user, "--mount", "--pid", "--uts", "--fork", "--kill-child=KILL"];
}

/**
 * The script that turns a new process in new namespaces into a container's process. On descriptor 3 it writes `ready` and its
 * process id when the container's own program follows. Errors before that are on descriptor 2.
 */
export function setUpScript(setUp: SetUp): string {
  const { mode, tools, hostname, root, pipes, workingDirectory, command } = setUp;
  const [program = ""] = command;
  const missing = program.includes("/") ? "no such file or directory" : "executable file not found in $PATH";
  const found = program.includes("/") ? `[ -x ${quoted(program)} ]` : `command -v ${quoted(program)} >/dev/null`;
  const nowhere = `chdir to cwd (${JSON.stringify(workingDirectory)}) set in config.json failed`;
  const fail = (message: string): string => `{ printf '%s\\n' ${quoted(message)} >&2; exit 1; }`;
  const named =
    mode === "root" ? `echo ${quoted(hostname)} >/proc/sys/kernel/hostname` : `${tools.hostname} ${quoted(hostname)}`;
  const { exported, passed } = splitEnvironment(setUp.environment);
  const words = [...(passed.length === 0 ? [] : [tools.env, ...passed]), ...command];
  return [
    // The process id on this machine: `/proc` is still that of this machine.
    "read -r pid rest </proc/self/stat",
    named,
    `${tools.mount} --all --fstab ${quoted(setUp.mountTable)} || exit 1`,
    `exec 4>${quoted(pipes.stdout)} 5>${quoted(pipes.stderr)}`,
    `cd ${quoted(root)} && ${tools.pivot_root} . . && ${tools.umount} -l . || exit 1`,
    `cd ${quoted(workingDirectory)} || ${fail(nowhere)}`,
    "unset PWD OLDPWD SHLVL LC_ALL",
    ...exported,
    `${found} || ${fail(`exec: ${JSON.stringify(program)}: ${missing}`)}`,
    'echo "ready $pid" >&3',
    `exec ${[...becomeUser(setUp), ...words].map(quoted).join(" ")} >&4 2>&5 3>&- 4>&- 5>&-`,
    "",
  ].join("\n");
}

/** The words in front of a command that make the process run as the container's user. */
export function becomeUser({
  mode,
  tools,
  user,
  mayGainRights,
}: Pick<SetUp, "mode" | "tools" | "user" | "mayGainRights">): string[] {
  const noGain = mayGainRights ? [] : ["--no-new-privs"];
  if (mode === "user") {
    const limited = noGain.length === 0 ? [] : [tools.setpriv, ...noGain, "--"];
    if (user.uid === 0 && user.gid === 0) return limited;
    return [tools.unshare, "--user", `--map-user=${user.uid}`, `--map-group=${user.gid}`, "--", ...limited];
  }
  const groups = user.groups.length === 0 ? ["--clear-groups"] : [`--groups=${user.groups.join(",")}`];
  const bounds = `-all,${CAPABILITIES.map((name) => `+${name}`).join(",")}`;
  // A change of the user resets the parent-death signal, so it is set again.
  const identity = [
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    ...groups,
    "--inh-caps=-all",
    `--bounding-set=${bounds}`,
  ];
  return [tools.setpriv, ...identity, "--pdeathsig=KILL", ...noGain, "--"];
}

// Shells refuse or use some variables themselves, and drop variables with names that they do not allow. `LD_*` would already
// affect the programs of the set-up.
const PASSED = /^(?![A-Za-z_]\w*$)|^(?:LD_|BASH|SHELLOPTS|E?UID$|PPID$|GROUPS$|OPTIND$|LINENO$|IFS$|_$|PS\d$|ENV$)/;

function splitEnvironment(environment: Readonly<Record<string, string>>): { exported: string[]; passed: string[] } {
  const [exported, passed]: [string[], string[]] = [[], []];
  for (const [name, value] of Object.entries(environment)) {
    if (PASSED.test(name)) passed.push(`${name}=${value}`);
    else exported.push(`export ${name}=${quoted(value)}`);
  }
  return { exported, passed };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
