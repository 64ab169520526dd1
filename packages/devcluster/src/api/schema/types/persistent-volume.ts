/** Persistent volumes and claims, in the notation of `parse-schema.ts`. */
export const persistentVolumeTypes = `
package io.k8s.api.core.v1
PersistentVolumeClaim
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec?: PersistentVolumeClaimSpec
  status?: PersistentVolumeClaimStatus
PersistentVolumeClaimStatus
  phase?: string
  accessModes?: []string @atomic
  capacity?: {}Quantity
  conditions?: []PersistentVolumeClaimCondition @map(type) ^type
  allocatedResources?: {}Quantity
  allocatedResourceStatuses?: {}string
  currentVolumeAttributesClassName?: *string
  modifyVolumeStatus?: *ModifyVolumeStatus
PersistentVolumeClaimCondition
  type!: string
  status!: string
  lastProbeTime?: Time
  lastTransitionTime?: Time
  reason?: string
  message?: string
ModifyVolumeStatus
  targetVolumeAttributesClassName?: string
  status!: string
PersistentVolume
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec?: PersistentVolumeSpec
  status?: PersistentVolumeStatus
PersistentVolumeSpec
  capacity?: {}Quantity
  gcePersistentDisk?: *GCEPersistentDiskVolumeSource
  awsElasticBlockStore?: *AWSElasticBlockStoreVolumeSource
  hostPath?: *HostPathVolumeSource
  glusterfs?: *GlusterfsPersistentVolumeSource
  nfs?: *NFSVolumeSource
  rbd?: *RBDPersistentVolumeSource
  iscsi?: *ISCSIPersistentVolumeSource
  cinder?: *CinderPersistentVolumeSource
  cephfs?: *CephFSPersistentVolumeSource
  fc?: *FCVolumeSource
  flocker?: *FlockerVolumeSource
  flexVolume?: *FlexPersistentVolumeSource
  azureFile?: *AzureFilePersistentVolumeSource
  vsphereVolume?: *VsphereVirtualDiskVolumeSource
  quobyte?: *QuobyteVolumeSource
  azureDisk?: *AzureDiskVolumeSource
  photonPersistentDisk?: *PhotonPersistentDiskVolumeSource
  portworxVolume?: *PortworxVolumeSource
  scaleIO?: *ScaleIOPersistentVolumeSource
  local?: *LocalVolumeSource
  storageos?: *StorageOSPersistentVolumeSource
  csi?: *CSIPersistentVolumeSource
  accessModes?: []string @atomic
  claimRef?: *ObjectReference
  persistentVolumeReclaimPolicy?: string = "Retain"
  storageClassName?: string
  mountOptions?: []string @atomic
  volumeMode?: *string = "Filesystem"
  nodeAffinity?: *VolumeNodeAffinity
  volumeAttributesClassName?: *string
GlusterfsPersistentVolumeSource
  endpoints!: string
  path!: string
  readOnly?: bool
  endpointsNamespace?: *string
RBDPersistentVolumeSource
  monitors!: []string @atomic
  image!: string
  fsType?: string
  pool?: string = "rbd"
  user?: string = "admin"
  keyring?: string = "/etc/ceph/keyring"
  secretRef?: *SecretReference
  readOnly?: bool
SecretReference @atomic
  name?: string
  namespace?: string
ISCSIPersistentVolumeSource
  targetPortal!: string
  iqn!: string
  lun!: int32
  iscsiInterface?: string = "default"
  fsType?: string
  readOnly?: bool
  portals?: []string @atomic
  chapAuthDiscovery?: bool
  chapAuthSession?: bool
  secretRef?: *SecretReference
  initiatorName?: *string
CinderPersistentVolumeSource
  volumeID!: string
  fsType?: string
  readOnly?: bool
  secretRef?: *SecretReference
CephFSPersistentVolumeSource
  monitors!: []string @atomic
  path?: string
  user?: string
  secretFile?: string
  secretRef?: *SecretReference
  readOnly?: bool
FlexPersistentVolumeSource
  driver!: string
  fsType?: string
  secretRef?: *SecretReference
  readOnly?: bool
  options?: {}string
AzureFilePersistentVolumeSource
  secretName!: string
  shareName!: string
  readOnly?: bool
  secretNamespace: *string
ScaleIOPersistentVolumeSource
  gateway!: string
  system!: string
  secretRef!: *SecretReference
  sslEnabled?: bool
  protectionDomain?: string
  storagePool?: string
  storageMode?: string = "ThinProvisioned"
  volumeName?: string
  fsType?: string = "xfs"
  readOnly?: bool
LocalVolumeSource
  path!: string
  fsType?: *string
StorageOSPersistentVolumeSource
  volumeName?: string
  volumeNamespace?: string
  fsType?: string
  readOnly?: bool
  secretRef?: *ObjectReference
CSIPersistentVolumeSource
  driver!: string
  volumeHandle!: string
  readOnly?: bool
  fsType?: string
  volumeAttributes?: {}string
  controllerPublishSecretRef?: *SecretReference
  nodeStageSecretRef?: *SecretReference
  nodePublishSecretRef?: *SecretReference
  controllerExpandSecretRef?: *SecretReference
  nodeExpandSecretRef?: *SecretReference
VolumeNodeAffinity
  required?: *NodeSelector
PersistentVolumeStatus
  phase?: string
  message?: string
  reason?: string
  lastPhaseTransitionTime?: *Time
`;
