@pool
Feature: A pool that is not there
  A cluster without a pool is an ordinary cluster: the caller is told what is missing, and may fall back.

  @EDGE-1.missing
  Scenario: without the ConfigMap an allocation says so and allows a fallback
    Given there is no pool
    When test "login" allocates a node
    Then it is refused with PoolMissing, fallback allowed
    And the message names "windows-node-pool" and the namespace

  @EDGE-1.missing
  Scenario: stats of a pool that does not exist say that it is not enabled
    Given there is no pool
    When the stats are asked for
    Then the stats are:
      | enabled | total | available | in-use | quarantined | malformed |
      | false   | 0     | 0         | 0      | 0           | 0         |

  @EDGE-1.missing-namespace
  Scenario: without the namespace an allocation says so and allows a fallback
    Given the pool's namespace does not exist
    When test "login" allocates a node
    Then it is refused with NamespaceMissing, fallback allowed
    And the message names the namespace

  @EDGE-2
  Scenario Outline: a pool with <what> is empty and allows a fallback (<cell>)
    Given a pool with <what>
    When test "login" allocates a node
    Then it is refused with PoolEmpty, fallback allowed
    And the message names "windows-node-pool" and the namespace

    Examples:
      | cell       | what       |
      | no-data    | no data    |
      | empty-data | empty data |
