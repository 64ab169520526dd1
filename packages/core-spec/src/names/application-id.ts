/** The id of an application: `spark-` and the 32 hexadecimal digits of a UUID (KubernetesConf.getKubernetesAppId). */
export function applicationId(uuid: string): string {
  return `spark-${uuid.replaceAll("-", "")}`;
}

/**
 * The id that makes object names unique: six hexadecimal digits of randomness, then the time in milliseconds cut to 40
 * bits (KubernetesUtils.uniqueID).
 *
 * @param random three random bytes
 * @param epochMillis the present time
 */
export function uniqueId(random: Uint8Array, epochMillis: number): string {
  const digits = [...random.subarray(0, 3)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits + BigInt.asUintN(40, BigInt(Math.trunc(epochMillis))).toString(16);
}
