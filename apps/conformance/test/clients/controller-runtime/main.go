// What an operator in Go does with a cluster: it writes built-in kinds in protobuf, and watches them through a cache.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
)

func must(what string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", what, err)
		os.Exit(1)
	}
}

func main() {
	log.SetLogger(zap.New())
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	must("kubeconfig", err)
	c, err := client.New(config, client.Options{})
	must("client", err)
	watched, err := cache.New(config, cache.Options{Scheme: scheme.Scheme})
	must("cache", err)
	_, err = watched.GetInformer(ctx, &core.Pod{})
	must("informer", err)
	go func() { must("cache", watched.Start(ctx)) }()
	watched.WaitForCacheSync(ctx)

	at := meta.ObjectMeta{Name: "one", Namespace: "default", Labels: map[string]string{"app": "x"}}
	settings := &core.ConfigMap{ObjectMeta: at, Data: map[string]string{"a": "b"}, BinaryData: map[string][]byte{"c": {0, 1}}}
	must("create config map", c.Create(ctx, settings))
	seconds := int32(15)
	now := meta.NewMicroTime(time.Now())
	lease := &coordination.Lease{ObjectMeta: at, Spec: coordination.LeaseSpec{LeaseDurationSeconds: &seconds, RenewTime: &now}}
	must("create lease", c.Create(ctx, lease))
	lease.Spec.LeaseDurationSeconds = new(int32)
	*lease.Spec.LeaseDurationSeconds = 30
	must("update lease", c.Update(ctx, lease))
	pod := &core.Pod{ObjectMeta: at, Spec: core.PodSpec{Containers: []core.Container{{Name: "main", Image: "example/image:1"}}}}
	must("create pod", c.Create(ctx, pod))
	for {
		seen := &core.Pod{}
		if err := watched.Get(ctx, client.ObjectKeyFromObject(pod), seen); err == nil && seen.Status.Phase == core.PodRunning {
			break
		}
		must("wait for the pod", ctx.Err())
		time.Sleep(50 * time.Millisecond)
	}
	before := pod.DeepCopy()
	pod.Annotations = map[string]string{"note": "seen"}
	must("patch pod", c.Patch(ctx, pod, client.MergeFrom(before)))
	must("delete pods", c.DeleteAllOf(ctx, &core.Pod{}, client.InNamespace("default"), client.MatchingLabels{"app": "x"}, client.GracePeriodSeconds(0)))
	found := &core.ConfigMap{}
	must("get config map", c.Get(ctx, client.ObjectKeyFromObject(settings), found))
	fmt.Printf("%s %v %d %s\n", found.Data["a"], found.BinaryData["c"], *lease.Spec.LeaseDurationSeconds, pod.Annotations["note"])
}
