@pool
Feature: A pool that changes while it is decided on
  Between reading and writing anybody may write. Such a change is noticed, read, and decided on again: it is enough for
  nothing that the next write merely carries the newer version.

  Background:
    Given a node pool:
      | address    | status    | platform | username | test-id | age    |
      | 192.0.2.10 | available | vsphere  | old-name |         |        |
      | 192.0.2.11 | in-use    | vsphere  |          | upgrade | 1 hour |

  @EDGE-6
  Scenario Outline: with the <lock> lock, a changed value is read again and kept (<cell>)
    Given operations lock by <lock>
    And another writer changes the username of 192.0.2.10 to "new-name" just before the first write
    When test "login" allocates a node
    Then it is given 192.0.2.10 with user "new-name"
    And the entry of 192.0.2.10 says "new-name"
    And it took 2 attempts, on the wire as in its own words

    Examples:
      | cell          | lock             |
      | value-changed | resource-version |
      | value-changed | entry            |

  @EDGE-6
  Scenario Outline: with the <lock> lock, a node taken meanwhile is not taken again, and another is given (<cell>)
    Given operations lock by <lock>
    And 192.0.2.10 passes to test "rival", and 192.0.2.11 is released, just before the first write
    When test "login" allocates a node
    Then it is given 192.0.2.11
    And the pool shows 192.0.2.10 as in-use by "rival"
    And the pool shows 192.0.2.11 as in-use by "login"

    Examples:
      | cell        | lock             |
      | entry-taken | resource-version |
      | entry-taken | entry            |

  @EDGE-6
  Scenario Outline: with the <lock> lock, an entry removed meanwhile is not brought back (<cell>)
    Given operations lock by <lock>
    And another writer removes 192.0.2.10 just before the first write
    When test "login" allocates a node
    Then it is refused with NoneAvailable, fallback allowed
    And the pool has no entry of 192.0.2.10

    Examples:
      | cell          | lock             |
      | entry-removed | resource-version |
      | entry-removed | entry            |

  @EDGE-6
  Scenario Outline: with the <lock> lock, a ConfigMap replaced meanwhile is decided on anew (<cell>)
    Given operations lock by <lock>
    And another writer replaces the pool by this one just before the first write:
      | address    | status      | platform |
      | 192.0.2.10 | quarantined | vsphere  |
      | 192.0.2.30 | available   | vsphere  |
    When test "login" allocates a node
    Then it is given 192.0.2.30
    And the pool shows 192.0.2.10 as quarantined

    Examples:
      | cell               | lock             |
      | configmap-replaced | resource-version |
      | configmap-replaced | entry            |

  @EDGE-6.configmap-replaced
  Scenario Outline: with the <lock> lock, a ConfigMap replaced by one that looks the same is another one, and is read again
    Given operations lock by <lock>
    And another writer replaces the pool by one that looks the same just before the first write
    When test "login" allocates a node
    Then it is given 192.0.2.10
    And it took 2 attempts, on the wire as in its own words

    Examples:
      | lock             |
      | resource-version |
      | entry            |

  @EDGE-6
  Scenario Outline: with the <lock> lock, a ConfigMap deleted meanwhile is missing and is not made again (<cell>)
    Given operations lock by <lock>
    And another writer deletes the pool just before the first write
    When test "login" allocates a node
    Then it is refused with PoolMissing, fallback allowed
    And there is still no pool

    Examples:
      | cell              | lock             |
      | configmap-deleted | resource-version |
      | configmap-deleted | entry            |

  @EDGE-6.entry-taken
  Scenario Outline: with the <lock> lock, a machine taken meanwhile by its other address is not handed out twice
    Given the pool also has:
      | address           | status    | platform | machine |
      | 192.0.2.20        | available | azure    | win-7   |
      | win-7.example.com | available | azure    | win-7   |
    And operations lock by <lock>
    And the node 192.0.2.20 of machine win-7 passes to test "rival" just before the first write
    When test "login" allocates an azure node by dns
    Then it is refused with NoneAvailable, fallback allowed
    And the pool shows win-7.example.com as available

    Examples:
      | lock             |
      | resource-version |
      | entry            |
