import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Container, Pod } from "../../../objects/pod.ts";
import type { Variable } from "../../../objects/variable.ts";
import { ContainerStartError } from "../../runtime.ts";
import type { ProcessImage } from "../process-image.ts";
import type { Bind, OwnFile, OwnFolder, RootContent } from "../root/bind.ts";
import { makeRoot } from "../root/make-root.ts";
import { DEVICE_LINKS, DEVICE_POINTS, mountTable } from "../root/mount-table.ts";
import { layOutRoot } from "../root/root-layout.ts";
import { commandLine, containerEnvironment } from "./command-line.ts";
import { STREAMS } from "./container-log.ts";
import { type ContainerUser, containerUser, withAccount } from "./container-user.ts";
import { type Launched, launch } from "./launch.ts";
import type { Machine } from "./machine.ts";
import type { Inside } from "./run-inside.ts";
import { setUpScript } from "./set-up-script.ts";

export interface StartRequest {
  readonly machine: Machine;
  readonly pod: Pod;
  readonly container: Container;
  readonly image: ProcessImage;
  readonly variables: readonly Variable[];
  readonly hostname: string;
  /** The text of `/etc/hosts`. */
  readonly hosts: string;
  /** The volumes, for the container's environment. */
  readonly volumes: (environment: Readonly<Record<string, string>>) => Bind[];
  /** A new folder for the files of this run, preferably in memory; the pipes for logs are in the same file system. */
  readonly folder: string;
  /** A new folder for what the container writes; it is deleted with the other one. */
  readonly writable: string;
  readonly onProcess: (pid: number) => void;
}

export interface Started {
  readonly launched: Launched;
  readonly inside: Inside;
}

function refuseRoot({ spec, metadata }: Pod, { name, securityContext }: Container, { uid }: ContainerUser): void {
  const nonRoot = securityContext?.runAsNonRoot ?? spec.securityContext?.runAsNonRoot;
  if (nonRoot !== true || uid !== 0) return;
  const message = `container's runAsUser breaks non-root policy (pod: "${metadata.name}", container: ${name})`;
  throw new ContainerStartError("CreateContainerConfigError", message);
}

/** What is needed to build a root. */
interface RootParts {
  readonly user: ContainerUser;
  readonly passwd: string;
  readonly workingDirectory: string;
  /** The file for the container's termination message. */
  readonly message: string;
  readonly environment: Readonly<Record<string, string>>;
}

// Folders that all users can write to.
const SHARED = ["/tmp", "/var/tmp"].map((path) => ({ path, mode: 0o1777 }));
const FOLDERS = ["/var/lib", "/var/log", "/var/run", "/run", "/opt", "/srv", "/mnt", "/media", "/etc"];

/** The paths of files in the folder of a run. */
export function runFiles(folder: string): { root: string; hosts: string; message: string } {
  const root = join(folder, "root");
  return { root, hosts: join(root, "etc/hosts"), message: join(folder, "message") };
}

/**
 * Starts a container's process in its own root and namespaces.
 *
 * @throws LaunchError
 * @throws ContainerStartError if the container would break a rule of its spec
 */
export async function startProcess(request: StartRequest): Promise<Started> {
  const { machine, container, image, folder, hostname } = request;
  const passwd = textOf(machine, "/etc/passwd", image);
  const user = containerUser(request.pod, container, image, passwd, machine.own);
  refuseRoot(request.pod, container, user);
  const environment = containerEnvironment(request.variables, image, user, hostname);
  const workingDirectory = container.workingDir || image.workingDirectory || "/";
  const { root, message } = runFiles(folder);
  const [table, script] = [join(folder, "mounts"), join(folder, "start")];
  const pipes = { stdout: join(folder, "stdout"), stderr: join(folder, "stderr") };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(message, "");
  // The container's user may be another one.
  chmodSync(message, 0o666);
  const owner = machine.mode === "root" ? user : undefined;
  const layout = layOutRoot(rootContent(request, { user, passwd, workingDirectory, message, environment }));
  makeRoot(root, layout, owner);
  const mounts = { root, binds: layout.binds, readOnlyRoot: isReadOnly(container), host: machine.mounts };
  writeFileSync(table, mountTable(mounts));
  const { mode, tools } = machine;
  for (const stream of STREAMS) await machine.pipes.put(pipes[stream]);
  const mayGainRights = container.securityContext?.allowPrivilegeEscalation !== false;
  const command = commandLine(container, image, request.variables);
  const setUp = { mode, tools, mountTable: table, root, pipes, hostname, user, mayGainRights, workingDirectory };
  // It contains the environment, which may contain secrets.
  writeFileSync(script, setUpScript({ ...setUp, environment, command }), { mode: 0o600 });
  const launched = await launch({ mode, tools, script, pipes, onProcess: request.onProcess });
  for (const file of [script, table, ...Object.values(pipes)]) rmSync(file, { force: true });
  const { holder, pid } = launched;
  return { launched, inside: { mode, tools, holder, pid, user, mayGainRights, workingDirectory, environment } };
}

function rootContent(request: StartRequest, parts: RootParts): RootContent {
  const { machine, image, container, hostname, hosts } = request;
  const { user, passwd, workingDirectory, message, environment } = parts;
  const { system } = machine;
  const text = (path: string, content: string): OwnFile => ({ path, content, mode: 0o644 });
  const messagePath = container.terminationMessagePath || "/dev/termination-log";
  return {
    binds: [
      ...system.binds,
      ...image.mounts.map(({ source, target }) => ({ source, target, readOnly: true })),
      ...request.volumes(environment),
      { source: message, target: messagePath, readOnly: false },
    ],
    files: [
      ...system.files,
      ...image.files,
      text("/etc/passwd", withAccount(passwd, user, workingDirectory)),
      text("/etc/hosts", hosts),
      text("/etc/hostname", `${hostname}\n`),
      ...DEVICE_POINTS.files.map((path) => text(path, "")),
    ],
    links: [...system.links, ...DEVICE_LINKS],
    folders: [...FOLDERS, ...DEVICE_POINTS.folders],
    ownFolders: [...SHARED, ...[workingDirectory, ...(isHome(user.home) ? [user.home] : [])].map(own)],
    writable: request.writable,
    readOnly: isReadOnly(container),
  };
}

function own(path: string): OwnFolder {
  return { path, mode: 0o755 };
}

function isReadOnly({ securityContext }: Container): boolean {
  return securityContext?.readOnlyRootFilesystem === true;
}

function isHome(path: string): boolean {
  return path === "/root" || path.startsWith("/home/");
}

function textOf({ system }: Machine, path: string, image: ProcessImage): string {
  const own = image.files.find((file) => file.path === path)?.content;
  const content = own ?? system.files.find((file) => file.path === path)?.content ?? "";
  return typeof content === "string" ? content : Buffer.from(content).toString("utf8");
}
