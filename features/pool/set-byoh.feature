@pool @needs-windows-stand-in @changes-windows-hosts
Feature: BYOH hosts of a test's own
  Other tests' hosts are listed in the same windows-instances. A test takes a host from the pool, lists that one alone,
  and afterwards unlists that one alone; where the pool has nothing to give, a MachineSet of one replica serves instead.

  Background:
    Given other people's hosts are configured:
      | address           | line                |
      | 203.0.113.90      | username=core       |
      | win-9.example.net | username=Admin      |
      | not_a_host        | left by a colleague |

  Rule: a host comes from the pool while the pool has one

    Background:
      Given a node pool:
        | address           | status    | platform | username | test-id | age    |
        | 203.0.113.10      | available | vsphere  | admin-10 |         |        |
        | win-2.example.net | available | vsphere  | admin-2  |         |        |
        | 203.0.113.11      | in-use    | vsphere  | admin-11 | upgrade | 1 hour |
      And there is a Windows MachineSet to copy

    @NP-5.from-pool
    Scenario Outline: a host of the pool is listed under its own user and becomes a Ready Node, by <type>
      When test "login" sets up a vsphere BYOH host by <type>
      Then it is set up from the pool on <address>
      And windows-instances lists <address> as "<line>" beside the others
      And the pool shows <address> as in-use by "login"
      And no MachineSet was made

      Examples:
        | type | address           | line              |
        | ip   | 203.0.113.10      | username=admin-10 |
        | dns  | win-2.example.net | username=admin-2  |

    @NP-5.from-pool
    Scenario: a test that asks again has the host it has
      Given test "login" has set up a BYOH host by ip
      When test "login" sets up a BYOH host by ip
      Then it is set up from the pool on 203.0.113.10
      And windows-instances lists 203.0.113.10 as "username=admin-10" beside the others

    @NP-5.from-pool
    Scenario: where nothing is listed yet, the list is made
      Given windows-instances does not exist
      When test "login" sets up a BYOH host by ip
      Then it is set up from the pool on 203.0.113.10
      And windows-instances lists 203.0.113.10 as "username=admin-10" and nothing else

    @NP-5.from-pool
    Scenario: a host whose lease is lost while it is configured is not handed over
      Given the node 203.0.113.10 passes to test "rival" just before it is listed in windows-instances
      When test "login" sets up a BYOH host by ip
      Then it is refused with NotTheHolder, fallback forbidden
      And the pool shows 203.0.113.10 as in-use by "rival"
      And nothing is left of 203.0.113.10 beside the others

    @NP-5.from-pool
    Scenario: a failing pool is no reason for a MachineSet
      Given the API answers every read with 403
      When test "login" sets up a BYOH host by ip
      Then it is refused with Forbidden, fallback forbidden
      And no MachineSet was made

    @NP-5.two-address-types
    Scenario: a host for each address type asked for
      When test "login" sets up a BYOH host by ip and dns
      Then it is set up from the pool on 203.0.113.10 and win-2.example.net
      And the pool shows 203.0.113.10 as in-use by "login"
      And the pool shows win-2.example.net as in-use by "login"

    @NP-5.all-or-none
    Scenario Outline: where one of two address types is not to be had, the host of the other is not kept (<missing>)
      Given <missing> is held by test "rival"
      When test "login" sets up a BYOH host by ip and dns
      Then it is set up from a MachineSet, because of NoneAvailable
      And the pool shows <other> as available
      And the entry of <other> names no holder
      And windows-instances lists the others alone

      Examples:
        | missing           | other             |
        | win-2.example.net | 203.0.113.10      |
        | 203.0.113.10      | win-2.example.net |

    @NP-5.all-or-none
    Scenario: a host whose listing got stuck is given back, and not listed any more when it arrives
      Given operations try 1 times
      And the write that lists a host gets stuck on its way
      When test "login" sets up a BYOH host by ip
      And the write that was stuck arrives at last
      Then it is refused with AttemptsExhausted, fallback forbidden
      And the pool shows 203.0.113.10 as available
      And nothing is left of 203.0.113.10 beside the others

    @NP-5.all-or-none
    Scenario: what the test held before is not given back because more is not to be had
      Given test "login" has set up a BYOH host by ip
      And win-2.example.net is held by test "rival"
      When test "login" sets up a BYOH host by ip and dns
      Then it is set up from a MachineSet, because of NoneAvailable
      And the pool shows 203.0.113.10 as in-use by "login"
      And windows-instances lists 203.0.113.10 as "username=admin-10" beside the others

    @NP-5.never-ready
    Scenario Outline: a host that <trouble> is unlisted, deconfigured and quarantined
      Given the host 203.0.113.10 <trouble>
      When test "login" sets up a BYOH host by ip, with little patience
      Then it is refused with NodeNeverReady, fallback forbidden
      And the message names "203.0.113.10"
      And the pool shows 203.0.113.10 as quarantined
      And nothing is left of 203.0.113.10 beside the others

      Examples:
        | trouble                   |
        | cannot be reached         |
        | never reports being Ready |

    @NP-5.never-ready
    Scenario: of two hosts only the one that never becomes Ready is quarantined, and neither is kept
      Given the host win-2.example.net cannot be reached
      When test "login" sets up a BYOH host by ip and dns, with little patience
      Then it is refused with NodeNeverReady, fallback forbidden
      And the pool shows win-2.example.net as quarantined
      And the pool shows 203.0.113.10 as available
      And nothing is left of 203.0.113.10 beside the others

    @NP-5.never-ready
    Scenario: a host that cannot be given back either is told with the reason why it should have been
      Given the host 203.0.113.10 cannot be reached
      And the API answers the 9 writes after the first 1 with 503
      When test "login" sets up a BYOH host by ip, with little patience
      Then it is refused with CleanUpIncomplete, fallback forbidden
      And the message names "No Ready Node" and "503"
      And the pool shows 203.0.113.10 as in-use by "login"

    @NP-5.cleanup
    Scenario: a cleaned-up host is unlisted, no longer configured, and available again
      Given test "login" has set up a BYOH host by ip
      When test "login" cleans up
      Then it succeeds
      And nothing is left of 203.0.113.10 beside the others
      And the pool shows 203.0.113.10 as available
      And the entry of 203.0.113.10 names no holder

    @NP-5.cleanup
    Scenario: a host on which the test failed is quarantined when it is cleaned up
      Given test "login" has set up a BYOH host by ip
      When test "login" cleans up after failing
      Then it succeeds
      And the pool shows 203.0.113.10 as quarantined
      And nothing is left of 203.0.113.10 beside the others

    @NP-5.cleanup
    Scenario: all hosts of a test are cleaned up
      Given test "login" has set up a BYOH host by ip and dns
      When test "login" cleans up
      Then it succeeds
      And the pool shows 203.0.113.10 as available
      And the pool shows win-2.example.net as available
      And windows-instances lists the others alone

    @NP-5.cleanup
    Scenario: a host that is still configured is not released
      Given test "login" has set up a BYOH host by ip
      And the host 203.0.113.10 stays configured
      When test "login" cleans up, with little patience
      Then it is refused with CleanUpIncomplete, fallback forbidden
      And the message names "203.0.113.10"
      And the pool shows 203.0.113.10 as in-use by "login"
      And windows-instances lists the others alone

    @NP-5.cleanup
    Scenario: a clean-up that could not end is ended by the next
      Given test "login" has set up a BYOH host by ip
      And the host 203.0.113.10 stayed configured while test "login" cleaned up
      When test "login" cleans up
      Then it succeeds
      And nothing is left of 203.0.113.10 beside the others
      And the pool shows 203.0.113.10 as available

    @NP-5.cleanup
    Scenario: cleaning up again changes nothing
      Given test "login" has set up a BYOH host by ip
      And test "login" has cleaned up
      And 203.0.113.10 is held by test "rival"
      When test "login" cleans up
      Then it succeeds
      And the pool shows 203.0.113.10 as in-use by "rival"
      And nothing was written at all

    @NP-5.cleanup-after-crash
    Scenario Outline: a test that crashed <moment> is cleaned up from what the cluster shows
      Given test "login" crashed while setting up a BYOH host by ip, <moment>
      When test "login" is cleaned up by somebody else
      Then it succeeds
      And the pool shows 203.0.113.10 as available
      And the entry of 203.0.113.10 names no holder
      And nothing is left of 203.0.113.10 beside the others

      Examples:
        | moment                       |
        | as its allocation has landed |
        | before its host is listed    |
        | as its host has been listed  |

    @NP-5.cleanup-after-crash
    Scenario: a host that never became a Node since its test crashed is quarantined, for the operator may be at work on it yet
      Given the host 203.0.113.10 cannot be reached
      And test "login" crashed while setting up a BYOH host by ip, as its host has been listed
      When test "login" is cleaned up by somebody else, with little patience
      Then it succeeds
      And the pool shows 203.0.113.10 as quarantined
      And nothing is left of 203.0.113.10 beside the others

    @NP-5.cleanup-after-crash
    Scenario: a host that a crashed test was just listing is not listed any more once it was cleaned up
      Given test "login" crashed while setting up a BYOH host by ip, while the listing of its host is stuck on its way
      When test "login" is cleaned up by somebody else
      And the write that was stuck arrives at last
      Then it succeeds
      And the pool shows 203.0.113.10 as available
      And nothing is left of 203.0.113.10 beside the others

    @NP-5.cleanup-after-crash
    Scenario Outline: a clean-up that crashed <moment> is ended by somebody else
      Given test "login" has set up a BYOH host by ip
      And test "login" crashed while cleaning up, <moment>
      When test "login" is cleaned up by somebody else
      Then it succeeds
      And the pool shows 203.0.113.10 as available
      And nothing is left of 203.0.113.10 beside the others

      Examples:
        | moment                        |
        | as its host has been unlisted |
        | before its host is released   |
        | as its host has been released |

    @NP-5.cleanup-after-crash
    Scenario: a host whose lease was reclaimed before the clean-up is unlisted and deconfigured all the same
      Given test "login" has set up a BYOH host by ip
      And leases older than 0 seconds are reclaimed
      When test "login" is cleaned up by somebody else
      Then it succeeds
      And nothing is left of 203.0.113.10 beside the others
      And the pool shows 203.0.113.10 as available

    @NP-5.others-untouched
    Scenario: another writer's entry survives being added between read and write, however often
      Given another writer lists 203.0.113.91 just before each of the first 2 writes of windows-instances
      When test "login" sets up a BYOH host by ip
      Then it is set up from the pool on 203.0.113.10
      And windows-instances lists 203.0.113.91 as "username=latecomer"
      And windows-instances lists 203.0.113.10 as "username=admin-10"

    @NP-5.others-untouched
    Scenario: a list that another writer makes first is not overwritten
      Given windows-instances does not exist
      And another writer makes windows-instances with 203.0.113.91 just before it is made
      When test "login" sets up a BYOH host by ip
      Then it is set up from the pool on 203.0.113.10
      And windows-instances lists 203.0.113.91 as "username=latecomer"
      And windows-instances lists 203.0.113.10 as "username=admin-10"

    @NP-5.others-untouched
    Scenario: a clean-up keeps what another writer adds meanwhile, and deconfigures nobody else
      Given test "login" has set up a BYOH host by ip
      And another writer lists 203.0.113.91 just before each of the first 2 writes of windows-instances
      When test "login" cleans up
      Then it succeeds
      And windows-instances lists 203.0.113.91 as "username=latecomer"
      And other people's hosts have been Nodes all the time

    @NP-5.others-untouched
    Scenario: a clean-up leaves other tests' hosts alone
      Given test "login" has set up a BYOH host by ip
      And test "storage" has set up a BYOH host by dns
      When test "login" cleans up
      Then it succeeds
      And the pool shows win-2.example.net as in-use by "storage"
      And windows-instances lists win-2.example.net as "username=admin-2" beside the others
      And win-2.example.net is a Ready Node

    @NP-5.others-untouched
    Scenario: a host that somebody else has listed is not taken over
      Given somebody else has listed 203.0.113.10 as "username=admin-10"
      When test "login" sets up a BYOH host by ip
      Then it is refused with EntryExists, fallback forbidden
      And the message names "203.0.113.10" and "windows-instances"
      And the pool shows 203.0.113.10 as quarantined
      And windows-instances lists 203.0.113.10 as "username=admin-10" beside the others

    @NP-5.others-untouched
    Scenario: a host that somebody else lists between read and write is not taken over
      Given another writer lists 203.0.113.10 just before each of the first 1 writes of windows-instances
      When test "login" sets up a BYOH host by ip
      Then it is refused with EntryExists, fallback forbidden
      And the pool shows 203.0.113.10 as quarantined
      And windows-instances lists 203.0.113.10 as "username=latecomer"

    @NP-5.others-untouched
    Scenario Outline: a clean-up leaves a host that somebody else has listed <how>
      Given 203.0.113.10 is held by test "login"
      And somebody else has listed 203.0.113.10 as "<line>"
      When test "login" cleans up
      Then it succeeds
      And the pool shows 203.0.113.10 as quarantined
      And windows-instances lists 203.0.113.10 as "<line>" beside the others

      Examples:
        | how                      | line              |
        | under another user       | username=core     |
        | under the very same user | username=admin-10 |

  Rule: a MachineSet serves where the pool has nothing to give

    Background:
      Given there is a Windows MachineSet to copy

    @NP-5.fallback-missing
    Scenario: without a pool
      Given there is no pool
      When test "login" sets up a BYOH host by ip
      Then it is set up from a MachineSet, because of PoolMissing
      And the MachineSet has one replica with the provider's settings of the one to copy
      And windows-instances lists the others alone

    @NP-5.fallback-missing
    Scenario: without the pool's namespace
      Given the pool's namespace does not exist
      When test "login" sets up a BYOH host by dns
      Then it is set up from a MachineSet, because of NamespaceMissing

    @NP-5.fallback-empty
    Scenario Outline: with a pool that has <what>
      Given a pool with <what>
      When test "login" sets up a BYOH host by ip
      Then it is set up from a MachineSet, because of PoolEmpty
      And no entry has changed
      And windows-instances lists the others alone

      Examples:
        | what       |
        | no data    |
        | empty data |

    @NP-5.fallback-exhausted
    Scenario: with a pool whose nodes are all taken or set aside
      Given a node pool:
        | address      | status      | platform | test-id | age    |
        | 203.0.113.10 | in-use      | vsphere  | upgrade | 1 hour |
        | 203.0.113.11 | quarantined | vsphere  |         |        |
      When test "login" sets up a BYOH host by ip
      Then it is set up from a MachineSet, because of NoneAvailable
      And no entry has changed
      And windows-instances lists the others alone

    @NP-5.fallback-exhausted
    Scenario: with a pool that has no address of the type asked for
      Given a node pool:
        | address      | status    | platform |
        | 203.0.113.10 | available | vsphere  |
      When test "login" sets up a BYOH host by dns
      Then it is set up from a MachineSet, because of AddressTypeMismatch
      And no entry has changed

    @NP-5.fallback-platform
    Scenario: with a pool of other platforms
      Given a node pool:
        | address      | status    | platform |
        | 203.0.113.10 | available | aws      |
        | 203.0.113.11 | available | azure    |
      When test "login" sets up a vsphere BYOH host by ip
      Then it is set up from a MachineSet, because of PlatformMismatch
      And the reason names "aws" and "azure"
      And no entry has changed
      And windows-instances lists the others alone

    @NP-5.never-ready
    Scenario: a MachineSet whose Machine is not provided is removed again
      Given no Machines can be had
      When test "login" sets up a BYOH host by ip
      Then it is refused with NodeNeverReady, fallback forbidden
      And the message names "CreateError"
      And nothing is left of the MachineSet of test "login"

    @NP-5.cleanup
    Scenario: a cleaned-up MachineSet is gone with its Machine and its Node
      Given test "login" has set up a BYOH host by ip
      And test "storage" has set up a BYOH host by ip
      When test "login" cleans up
      Then it succeeds
      And nothing is left of the MachineSet of test "login"
      And the MachineSet of test "storage" still has its Ready Node

    @NP-5.cleanup-after-crash
    Scenario: a test that crashed as its MachineSet was created is cleaned up from what the cluster shows
      Given test "login" crashed while setting up a BYOH host by ip, as its MachineSet has been created
      When test "login" is cleaned up by somebody else
      Then it succeeds
      And nothing is left of the MachineSet of test "login"

    @NP-5.cleanup-after-crash
    Scenario: a clean-up that crashed as its MachineSet was deleted is ended by somebody else
      Given test "login" has set up a BYOH host by ip
      And test "login" crashed while cleaning up, as its MachineSet has been deleted
      When test "login" is cleaned up by somebody else
      Then it succeeds
      And nothing is left of the MachineSet of test "login"
