import Core
import Testing

/// The words of an account of what was read.
@Suite struct AccountWordTests {
    @Test(arguments: [("way", "ways"), ("entry", "entries"), ("key", "keys"), ("point", "points")])
    func severalItemsHaveTheirPlural(item: String, items: String) {
        let part = SourceAccount.Part(item: item, seen: 3, used: 3, entries: [])
        #expect(part.words == "3 \(items): 3 used")
    }
}
