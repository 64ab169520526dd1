import type { Container, Pod } from "../../../objects/pod.ts";
import type { ProcessImage } from "../process-image.ts";

/** The user of a container's process, as the process sees it. */
export interface ContainerUser {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
  readonly name: string;
  readonly home: string;
}

/** An entry of `/etc/passwd`. */
interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

/**
 * The user of a container: the container's setting wins over the pod's, and that over the image's.
 *
 * @param passwd the text of the container's `/etc/passwd`
 * @param own the user that runs the cluster
 */
export function containerUser(
  pod: Pod,
  container: Container,
  image: ProcessImage,
  passwd: string,
  own: { readonly uid: number; readonly gid: number },
): ContainerUser {
  const [ofPod, ofContainer] = [pod.spec.securityContext ?? {}, container.securityContext ?? {}];
  const uid = ofContainer.runAsUser ?? ofPod.runAsUser ?? image.user?.uid ?? own.uid;
  const account = parseAccounts(passwd).find((one) => one.uid === uid);
  // A user without an account has group 0, as in container runtimes.
  const imageGroup = uid === image.user?.uid ? image.user.gid : account?.gid;
  const ownGroup = image.user === undefined && uid === own.uid ? own.gid : undefined;
  const gid = ofContainer.runAsGroup ?? ofPod.runAsGroup ?? ownGroup ?? imageGroup ?? 0;
  const groups = [...(ofPod.supplementalGroups ?? []), ...(ofPod.fsGroup === undefined ? [] : [ofPod.fsGroup])];
  return { uid, gid, groups, name: account?.name ?? `user${uid}`, home: account?.home ?? "/" };
}

/** The text of `/etc/passwd` with a line for the user; without it programs would not know the user's name. */
export function withAccount(passwd: string, { uid, gid, name }: ContainerUser, home: string): string {
  if (parseAccounts(passwd).some((account) => account.uid === uid)) return passwd;
  const separator = passwd === "" || passwd.endsWith("\n") ? "" : "\n";
  return `${passwd}${separator}${name}:x:${uid}:${gid}::${home}:/bin/sh\n`;
}

function parseAccounts(passwd: string): Account[] {
  return passwd.split("\n").flatMap((line) => {
    const [name = "", , uid = "", gid = "", , home = "/"] = line.split(":");
    return uid === "" ? [] : [{ name, uid: Number(uid), gid: Number(gid), home }];
  });
}
