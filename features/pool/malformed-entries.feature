@pool
Feature: Malformed entries
  What cannot be read for certain is set aside: it is counted, logged with the field that is wrong, never handed out,
  never rewritten and never lost. The entries around it serve as if it were not there.

  Background:
    Given a node pool:
      | address    | status    | platform |
      | 192.0.2.10 | available | vsphere  |

  @EDGE-3
  Scenario Outline: an entry that is <fault> is set aside, and survives an update byte for byte (<cell>)
    Given the pool also has an entry that is <fault>
    When test "login" allocates a node
    Then it is given 192.0.2.10
    And that entry is logged, counted and listed as malformed
    And no other entry has changed

    Examples:
      | cell           | fault                              |
      | not-yaml       | not YAML                           |
      | not-yaml       | empty                              |
      | not-yaml       | full of control characters         |
      | not-yaml       | led by a byte order mark           |
      | wrong-type     | a list                             |
      | wrong-type     | a number                           |
      | wrong-type     | a mapping whose status is a list   |
      | wrong-type     | a mapping whose username is tagged |
      | wrong-type     | a mapping with a tag of its own    |
      | unknown-status | broken                             |
      | unknown-status | Available with a capital           |
      | unknown-status | available with a look-alike letter |
      | duplicate-key  | available and quarantined at once  |
      | hostile-key    | under the key __proto__            |
      | hostile-key    | under a key that ends in a dot     |
      | alias-bomb     | a bomb of aliases                  |
      | alias-bomb     | an alias to itself                 |
      | huge           | one value of 300,000 characters    |
      | huge           | nested 20,000 deep                 |

  @EDGE-7
  Scenario Outline: an entry without <field> is set aside for that field, and survives an update byte for byte (<cell>)
    Given the entry of 192.0.2.20 has no <field>
    When test "login" allocates a node
    Then it is given 192.0.2.10
    And that entry is logged, counted and listed as malformed
    And the list sets 192.0.2.20 aside for its <field>
    And no other entry has changed

    Examples:
      | cell         | field        |
      | status       | status       |
      | username     | username     |
      | address-type | address-type |
      | platform     | platform     |

  @EDGE-7.holder
  Scenario Outline: an entry in use without <field> is set aside for that field, and survives an update byte for byte
    Given the entry of 192.0.2.20 is in use without <field>
    When test "login" allocates a node
    Then it is given 192.0.2.10
    And that entry is logged, counted and listed as malformed
    And the list sets 192.0.2.20 aside for its <field>
    And no other entry has changed

    Examples:
      | field        |
      | test-id      |
      | allocated-at |

  @EDGE-3.wrong-type
  Scenario: a pool of garbage alone hands out nothing
    Given a pool that holds nothing but malformed entries
    When test "login" allocates a node
    Then it is refused with NoneAvailable, fallback allowed
    And no entry has changed
