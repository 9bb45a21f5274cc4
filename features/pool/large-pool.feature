@pool
Feature: Large pools
  A pool works at any size that a ConfigMap can have. At the edge it refuses, and loses nothing.

  @EDGE-8
  Scenario Outline: a pool of <size> entries serves as a small one does (<cell>)
    Given a node pool of <size> available entries
    When test "login" allocates a node
    Then it is given one of them
    And the stats count <size> entries, 1 of them in use
    And no other entry has changed

    Examples:
      | cell  | size |
      | n51   | 51   |
      | n5000 | 5000 |

  @EDGE-8.n5000
  Scenario: a node of a large pool can be released, and the neighbours stay as they are
    Given a node pool of 5000 available entries
    And test "login" has allocated a vsphere node
    When test "login" releases the node it holds
    Then it succeeds
    And the pool shows 5000 nodes as available

  @EDGE-8.full
  Scenario: a host that would take the pool across 1 MiB is refused, and nothing is lost
    Given a node pool that has 50 bytes left of the 1 MiB a ConfigMap may have
    When 192.0.2.250 is added as available
    Then it is refused with PoolFull, fallback forbidden
    And the message names "windows-node-pool" and "192.0.2.250"
    And no entry has changed

  @EDGE-8.full
  Scenario: an allocation that would take the pool across 1 MiB is refused, and the node stays available
    Given a node pool that has 10 bytes left of the 1 MiB a ConfigMap may have
    When test "a test id that is longer than what is left" allocates a node
    Then it is refused with PoolFull, fallback forbidden
    And no entry has changed

  @EDGE-8.full
  Scenario: in a full pool a host can still be removed
    Given a node pool that has 10 bytes left of the 1 MiB a ConfigMap may have
    When 192.0.2.10 is removed
    Then it succeeds
    And the pool has no entry of 192.0.2.10
    And no other entry has changed

  @EDGE-8.full
  Scenario Outline: in a full pool a lease can still be <ended>
    Given a full node pool in which test "login" holds 192.0.2.10 by an entry without a last-updated
    When <event>
    Then it succeeds
    And the pool shows 192.0.2.10 as <status>
    And the entry of 192.0.2.10 names no holder
    And no other entry has changed

    Examples:
      | ended              | event                                        | status      |
      | given back         | test "login" releases 192.0.2.10             | available   |
      | ended as failed    | test "login" releases 192.0.2.10 as failed   | quarantined |
      | reclaimed          | leases older than 2 hours are reclaimed      | available   |
