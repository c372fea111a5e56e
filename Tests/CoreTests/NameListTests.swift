import Core
import Testing

/// The first names of a list, and how many are left out.
struct NameListTests {
    @Test func namesBeyondTheLimitAreCounted() {
        #expect(["a", "b", "c"].listed(first: 3) == "a, b, c")
        #expect(["a", "b", "c"].listed(first: 2) == "a, b and 1 more")
        #expect(["a", "b", "c"].listed(first: 1, separator: "; ", more: "; and ") == "a; and 2 more")
        #expect([1, 2, 3].lazy.map { "no. \($0)" }.listed(first: 2) == "no. 1, no. 2 and 1 more")
        #expect([String]().listed(first: 2) == "")
    }
}
