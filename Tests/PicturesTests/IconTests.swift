import Core
import Testing

@testable import Pictures

@Suite struct IconTests {
    @Test func everyIconTakesOneCellAndHasAnASCIIForm() {
        #expect(IconGlyph.all.count == IconTable.rows.count)
        for icon in IconGlyph.all {
            #expect(DisplayWidth.of(icon.symbol) == 1, "\(icon.name)")
            #expect(icon.ascii.isASCII)
            #expect(icon.path.isFinite)
        }
        #expect(Set(IconGlyph.all.map(\.ascii)).count == IconGlyph.all.count)
        #expect(Set(IconGlyph.all.map(\.symbol)).count == IconGlyph.all.count)
    }
}
