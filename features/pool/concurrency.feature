@pool
Feature: Many tests at once
  No node is ever given to two tests: each write is conditional on the version that was read, a conflict is read again
  and decided again, and trying ends after a count or at a deadline.

  Rule: a write that was decided on an outdated version never lands

    Background:
      Given a node pool:
        | address    | status    | platform |
        | 192.0.2.10 | available | vsphere  |
        | 192.0.2.11 | available | aws      |

    @NP-3.interleaved
    Scenario: another writer between read and write, three times, costs three more attempts and loses nothing
      Given another writer changes 192.0.2.11 just before each of the first 3 writes
      When test "login" allocates a vsphere node
      Then it is given 192.0.2.10
      And it took 4 attempts, on the wire as in its own words
      And each write carried the version that was read before it, and only the last one landed
      And it tells the versions before and after as they were on the wire
      And all 3 changes to 192.0.2.11 are there

    @NP-3.interleaved
    Scenario: a release is decided again on what another writer left
      Given test "login" has allocated a vsphere node
      And another writer changes 192.0.2.11 just before each of the next 2 writes
      When test "login" releases 192.0.2.10
      Then it succeeds
      And it took 3 attempts, on the wire as in its own words
      And each write carried the version that was read before it, and only the last one landed
      And all 2 changes to 192.0.2.11 are there

  Rule: trying ends with a typed error

    Background:
      Given a node pool:
        | address    | status    | platform |
        | 192.0.2.10 | available | vsphere  |
        | 192.0.2.11 | available | aws      |

    @NP-3.exhausted
    Scenario: by default the fifth conflict is the last, after delays drawn from 500 ms doubled each time
      Given operations try as they do by default
      And another writer changes 192.0.2.11 just before each of the first 5 writes
      When test "login" allocates a vsphere node
      Then it is refused with AttemptsExhausted, fallback forbidden
      And it took 5 attempts, on the wire as in its own words
      And its delays were drawn at random from 0 to 500, 1000, 2000 and 4000 ms
      And the pool shows 192.0.2.10 as available

    @NP-3.exhausted
    Scenario: the longer it fails, the longer the delays it draws
      Given operations try 11 times
      And another writer changes 192.0.2.11 just before each of the first 11 writes
      When test "login" allocates a vsphere node
      Then it is refused with AttemptsExhausted, fallback forbidden
      And its delays were drawn from windows that doubled each time, from 1 ms on

    @NP-3.exhausted
    Scenario: conflicts and failures of the API share one budget
      Given operations try 4 times
      And another writer changes 192.0.2.11 just before each of the first 2 writes
      And the API answers the 2 writes after the first 2 with 503
      When test "login" allocates a vsphere node
      Then it is refused with AttemptsExhausted, fallback forbidden
      And it took 4 attempts, on the wire as in its own words
      And the message names "windows-node-pool" and "503"

    @NP-3.exhausted
    Scenario: reads that fail count as attempts too
      Given operations try 3 times
      And the API answers the first 3 reads with 500
      When test "login" allocates a vsphere node
      Then it is refused with AttemptsExhausted, fallback forbidden
      And the pool was read 3 times on the wire

    @NP-3.exhausted
    Scenario: with a deadline, trying ends at the deadline
      Given operations try for 150 milliseconds
      And another writer changes 192.0.2.11 just before each write
      When test "login" allocates a vsphere node
      Then it is refused with DeadlineExceeded, fallback forbidden
      And the pool shows 192.0.2.10 as available

  Rule: a failure that passes is tried again

    Background:
      Given a node pool:
        | address    | status    | platform |
        | 192.0.2.10 | available | vsphere  |

    @NP-3.exhausted
    Scenario Outline: <failure> is tried again and then succeeds
      Given the API answers the first write with <code>
      When test "login" allocates a vsphere node
      Then it is given 192.0.2.10
      And it took 2 attempts, on the wire as in its own words

      Examples:
        | failure                        | code |
        | a request too many             | 429  |
        | an internal error              | 500  |
        | a server that is not available | 503  |
        | a server that is too slow      | 504  |

    @NP-3.exhausted
    Scenario: a connection that breaks before the request arrives is tried again
      Given the connection of the first write breaks before it arrives
      When test "login" allocates a vsphere node
      Then it is given 192.0.2.10
      And it took 2 attempts, on the wire as in its own words

    @NP-3.exhausted
    Scenario: the pause that a busy API asks for is kept
      Given the API answers the first write with 429 and asks for 1 second
      When test "login" allocates a vsphere node
      Then it is given 192.0.2.10
      And the second write came at least 1 second after the first

  Rule: an answer that is lost never costs a second node

    Background:
      Given a node pool:
        | address    | status    | platform |
        | 192.0.2.10 | available | vsphere  |
        | 192.0.2.11 | available | vsphere  |
        | 192.0.2.12 | in-use    | vsphere  |

    @NP-3.lost-answer
    Scenario Outline: with the <lock> lock, an allocation whose answer is lost is found again
      Given operations lock by <lock>
      And the answer to the first write is lost, although it took effect
      When test "login" allocates a node
      Then it is given the one node that the pool shows as in-use by "login"
      And 1 write landed

      Examples:
        | lock             |
        | resource-version |
        | entry            |

    @NP-3.lost-answer
    Scenario: a test that gave up before its answer came finds its node under the same test id
      Given test "login" gave up allocating a node after its write had landed
      When test "login" allocates a node
      Then it is given the one node that the pool shows as in-use by "login"

    @NP-3.lost-answer
    Scenario: a release whose answer is lost succeeds
      Given test "login" has allocated a vsphere node
      And the answer to the next write is lost, although it took effect
      When test "login" releases the node it holds
      Then it succeeds
      And the pool shows 2 nodes as available

    @NP-3.lost-answer
    Scenario: an addition whose answer is lost succeeds, and the host is there once
      Given the answer to the first write is lost, although it took effect
      When 192.0.2.20 is added as available
      Then it succeeds
      And the pool shows 192.0.2.20 as available

    @NP-3.lost-answer
    Scenario: an addition whose answer is lost succeeds although a test takes the host before it is looked for
      Given the answer to the first write is lost, although it took effect
      And the node 192.0.2.20 passes to test "rival" just before the second read
      When 192.0.2.20 is added as available
      Then it succeeds
      And 1 write landed
      And the pool shows 192.0.2.20 as in-use by "rival"

    @NP-3.lost-answer
    Scenario: a removal whose answer is lost does not take out a host that somebody has added since
      Given the answer to the first write is lost, although it took effect
      And another writer adds 192.0.2.10 just before the second read
      When 192.0.2.10 is removed
      Then it is refused with AttemptsExhausted, fallback forbidden
      And the message names "192.0.2.10" and "added anew"
      And the pool shows 192.0.2.10 as available

    @NP-3.lost-answer
    Scenario: a removal whose answer is lost succeeds
      Given the answer to the first write is lost, although it took effect
      When 192.0.2.10 is removed
      Then it succeeds
      And the pool has no entry of 192.0.2.10

  Rule: processes that truly contend share the nodes out, one each

    @NP-3.contended
    Scenario: 12 tests in 3 processes, locking either way, get 8 nodes, no node twice, and the rest are refused
      Given a node pool of 8 available entries
      And operations try for 20 seconds
      And 3 processes of the implementation
      When each process allocates for 4 tests, half by either lock, all having read before any writes
      Then 8 of the 12 tests have a node of their own, and the others are refused with NoneAvailable
      And the pool shows each node with the test that was given it
      And at least 1 write met a conflict
