import Formats
import Testing

struct HTMLFragmentTests {
    @Test(
        "the words of a fragment",
        arguments: [
            ("Mill Lane", "Mill Lane"), ("a < b & c", "a < b & c"), ("3<4>2", "3<4>2"),
            ("&copy; <a href=\"x?a=1&amp;b=2\">Maps</a>", "© Maps"), ("A&amp;B &#8211; &#x41;", "A&B – A"),
            ("one<br>two<!-- three -->", "one two"), ("&unknown; &#0;", "&unknown; &#0;"), ("<", "<"),
        ])
    func words(html: String, text: String) { #expect(HTMLFragment.plain(html) == text) }
}
