Feature: what a run is killed in the middle of
  All that a scenario may change of a cluster, so that a kill can come between any two of its writes.

  @changes-cluster @with-pods @needs-running-pods @needs-workload-image @needs-test-nodes
  Scenario: both nodes and an object outside of namespaces are changed, and one node is drained
    # First: it closes the management node for a moment, and a cordon that somebody else adds to ours can't be told from it.
    Given Deployment "web" runs 1 pod on the data node, and may move to the management node
    When taints and labels of both marked nodes are changed
    And a ClusterRole is made and changed
    And the data node is drained
    Then Deployment "web" has 1 ready pod on the management node

  @changes-cluster @without-pods
  Scenario: both nodes and an object outside of namespaces are changed, and one node is cordoned
    When taints and labels of both marked nodes are changed
    And a Node is made and changed
    And the first marked node is cordoned
