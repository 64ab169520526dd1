// @ts-check
/**
 * @typedef {object} Machine
 * @property {() => readonly { readonly model: string }[]} cpus
 * @property {() => number} totalmem
 * @property {() => string} type
 * @property {() => string} release
 * @property {() => string} arch
 */

/**
 * What figures were measured with, in a line: enough to judge them, and nothing that names the machine.
 *
 * @param {Machine} os Node's module of that name
 * @param {string} node Node's version
 */
export function describeMachine(os, node) {
  const cpus = os.cpus();
  const memory = `${Math.round(os.totalmem() / 1024 ** 3)} GiB of memory`;
  const kernel = `${os.type()} ${os.release().split("-", 1)[0]} (${os.arch()})`;
  return `Node ${node}, ${cpus.length} × ${cpus[0]?.model.trim() ?? "unknown processor"}, ${memory}, ${kernel}`;
}
