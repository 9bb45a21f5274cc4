@parity @needs-running-pods @needs-workload-image @needs-test-nodes @changes-cluster
Feature: What becomes of pods when their node is closed, emptied, silent or off
  An administrator closes and empties nodes; a machine falls silent or dies. Workloads go on as their controller allows.

  @LAW-1.cordoned
  Scenario: a cordoned node gets nothing new and keeps what it has
    Given pod "old" runs on the data node
    When the data node is cordoned
    And pod "new" is created for the data node
    Then pod "new" stays unscheduled, because of "unschedulable"
    And pod "old" is still ready
    When the data node is uncordoned
    Then pod "new" becomes ready on the data node

  @LAW-1.drained
  Scenario: a drained node has nothing left to drain and gets nothing
    Given Deployment "web" runs 2 pods on the data node, and may move to the management node
    When the data node is drained
    Then nothing is left to drain on the data node
    And Deployment "web" has 2 ready pods on the management node
    When pod "new" is created for the data node
    Then pod "new" stays unscheduled, because of "unschedulable"

  @LAW-1.kubelet-stopped @LAW-1.kubelet-back @LAW-1.one-per-ordinal @needs-node-operations
  Scenario: a node that falls silent is NotReady; a Deployment replaces its pods, a StatefulSet never runs two of one ordinal
    Given Deployment "web" runs 1 pod on the data node, and may move to the management node
    And StatefulSet "game" runs on the data node, and may move to the management node
    When the kubelet of the data node stops
    Then the data node becomes NotReady
    And Deployment "web" has 1 ready pod on the management node
    But the pod of StatefulSet "game" is to leave, and has not been replaced
    And the pod of StatefulSet "game" still answers
    When the kubelet of the data node starts again
    Then the data node becomes Ready again
    And StatefulSet "game" has a new pod that is ready
    And no two pods of StatefulSet "game" ever ran at once
    When pod "next" is created for the data node
    Then pod "next" becomes ready on the data node

  @LAW-1.out-of-service @needs-node-operations
  Scenario: on a killed node the out-of-service taint lets a StatefulSet move on
    Given Deployment "web" runs 1 pod on the data node, and may move to the management node
    And StatefulSet "game" runs on the data node, and may move to the management node
    When the data node is killed
    Then the data node becomes NotReady
    And Deployment "web" has 1 ready pod on the management node
    But the pod of StatefulSet "game" is to leave, and has not been replaced
    When the data node is declared out of service
    Then StatefulSet "game" is ready on the management node
    When the data node is brought back
    Then the data node becomes Ready again
    When pod "next" is created for the data node
    Then pod "next" becomes ready on the data node
