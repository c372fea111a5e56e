import Formats
import Testing

/// Texts of encodings that have a name. The bytes are those of Python's codecs.
struct NamedEncodingTests {
    @Test(
        arguments: [
            ("windows-1251", [0xCC, 0xEE, 0xF1, 0xEA, 0xE2, 0xE0], "Москва"),
            ("shift_jis", [0x93, 0x8C, 0x8B, 0x9E], "東京"), ("sjis", [0x93, 0x8C, 0x8B, 0x9E], "東京"),
            ("EUC-KR", [0xBC, 0xAD, 0xBF, 0xEF], "서울"), ("gb18030", [0xB1, 0xB1, 0xBE, 0xA9], "北京"),
            ("iso-8859-2", [0xA3, 0xF3, 0x64, 0xBC], "Łódź"), ("latin1", [0x5A, 0xFC], "Zü"),
            ("macintosh", [0x5A, 0x9F], "Zü"), ("cp437", [0x5A, 0x81], "Zü"),
            ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x45, 0x6C, 0x1B, 0x28, 0x42], "東"),
            ("utf-16", [0xFF, 0xFE, 0x41, 0x00, 0xE9, 0x00], "Aé"), ("utf-16be", [0x00, 0x41], "A"),
        ] as [(String, [UInt8], String)])
    func textsAreConverted(name: String, bytes: [UInt8], text: String) throws {
        let encoding = try #require(NamedEncoding(name))
        let converted = try encoding.converted(bytes)
        #expect(String(decoding: converted, as: UTF8.self) == text)
    }

    /// A text of many pieces, with a character across each of their ends.
    @Test func longTextsAreConvertedWhole() throws {
        let encoding = try #require(NamedEncoding("shift_jis"))
        let count = 200_001
        let bytes: [UInt8] = [0x41] + Array(repeating: [0x93, 0x8C], count: count).joined()
        let converted = try encoding.converted(bytes)
        // By their bytes: U+FFFD, which stands for half a character, is as long as 東.
        #expect(converted.elementsEqual(("A" + String(repeating: "東", count: count)).utf8))
    }

    /// The offset is that of the first byte that is none of the encoding; half a character is one, too.
    @Test(
        arguments: [
            ("shift_jis", [0x41, 0x42, 0xFF], 2), ("euc-kr", [0x41, 0xBC], 1),
            ("utf-8", [0x41, 0xE9, 0x41], 1),
        ] as [(String, [UInt8], Int)])
    func damageHasAnOffset(name: String, bytes: [UInt8], offset: Int) throws {
        let encoding = try #require(NamedEncoding(name))
        let error = try #require(throws: NamedEncoding.Fault.self) { try encoding.converted(bytes) }
        #expect(error.offset == offset)
    }

    /// Nothing that would skip or replace characters silently is a name.
    @Test(arguments: ["", "klingon", "utf-8//IGNORE", "ascii//TRANSLIT", "utf-8 ", "../../x"])
    func otherNamesAreRefused(name: String) { #expect(NamedEncoding(name) == nil) }
}
