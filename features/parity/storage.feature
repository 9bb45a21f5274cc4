@parity @needs-running-pods @needs-workload-image
Feature: What a volume is promised
  When a claim gets one, where it can be used, who may write to it, and what becomes of it when its claim goes.

  @LAW-5.waits @needs-csi-storage
  Scenario: a claim waits for its first consumer
    Given claim "world" of csi storage
    And claim "world" waits for its first consumer
    When pod "game" is to use claim "world"
    Then claim "world" is bound
    And pod "game" becomes ready

  @LAW-5.local-pins @needs-test-nodes @needs-local-storage
  Scenario: a local volume pins its pod to its node, and the refusal of another says so
    Given pod "first" on the data node has written a marker to claim "world" of local storage
    And pod "first" is deleted
    And pod "first" is gone
    When pod "elsewhere" is to use claim "world" on the management node
    And pod "anywhere" is to use claim "world"
    Then pod "elsewhere" stays unscheduled, because the volume of claim "world" is bound to another node
    And pod "anywhere" becomes ready on the data node
    And pod "anywhere" becomes ready and reads the marker of claim "world"

  @LAW-5.csi-segment @needs-test-nodes @needs-csi-storage
  Scenario: a CSI volume keeps its segment, whatever its next pod would prefer
    Given pod "first" on the data node has written a marker to claim "world" of csi storage
    And pod "first" is deleted
    And pod "first" is gone
    When pod "second" is to use claim "world", preferably on the management node
    Then pod "second" becomes ready where the volume of claim "world" is bound to
    And pod "second" becomes ready and reads the marker of claim "world"

  @LAW-5.moves @needs-test-nodes @needs-movable-storage
  Scenario: a movable volume moves to another node with what was written
    Given pod "first" on the data node has written a marker to claim "world" of movable storage
    And pod "first" is deleted
    When pod "second" is to use claim "world" on the management node
    Then pod "second" becomes ready on the management node
    And pod "second" becomes ready and reads the marker of claim "world"

  @LAW-5.second-writer @needs-test-nodes @needs-movable-storage
  Scenario: a movable volume has one writer at a time
    Given pod "first" on the data node has written a marker to claim "world" of movable storage
    And pod "second" is to use claim "world" on the management node
    And pod "second" is refused the volume of claim "world", because another node has it
    And pod "first" is still ready
    When pod "first" is deleted
    Then pod "second" becomes ready and reads the marker of claim "world"

  @LAW-5.in-use @needs-test-nodes @needs-csi-storage
  Scenario: a claim in use is protected until nobody uses it, while one that nobody uses goes at once
    Given pod "game" on the data node has written a marker to claim "world" of csi storage
    And claim "spare" of csi storage
    And claim "world" is deleted
    And claim "spare" is deleted
    And claim "spare" is gone
    And claim "world" is protected
    And pod "game" still reads and writes the volume of claim "world"
    When pod "game" is deleted
    Then claim "world" is gone

  @LAW-5.delete @needs-test-nodes @needs-csi-storage
  Scenario: a volume goes with its claim
    Given pod "game" on the data node has written a marker to claim "world" of csi storage
    And pod "game" is deleted
    When claim "world" is deleted
    Then claim "world" is gone
    And the volume of claim "world" is gone

  @LAW-5.retain @needs-test-nodes @needs-csi-storage @changes-cluster
  Scenario: a retained volume and its data outlive its claim, and can be given to another
    Given pod "first" on the data node has written a marker to claim "world" of csi storage
    And the volume of claim "world" is retained
    And pod "first" is deleted
    When claim "world" is deleted
    Then the volume of claim "world" is released
    When the volume of claim "world" is given to claim "again"
    And pod "second" is to use claim "again"
    Then pod "second" becomes ready and reads the marker of claim "world"
    When the volume of claim "again" is no longer retained
    And pod "second" is deleted
    And claim "again" is deleted
    Then the volume of claim "again" is gone

  @LAW-5.namespace @needs-test-nodes @needs-csi-storage
  Scenario: the deletion of a namespace takes all that is in it
    Given pod "game" on the data node has written a marker to claim "world" of csi storage
    And service "game" has a node port
    And the namespace has pods, claims, services and ConfigMaps
    When the namespace is deleted
    Then the namespace is gone, with all that was in it
    And the volume of claim "world" is gone
