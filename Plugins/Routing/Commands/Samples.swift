/// Setup lines of the commands' examples.
enum Samples {
    /// A small region whose letters are coordinates: `$p.A` is the letter A.
    static let sketch = [
        """
        let p = region sketch village '
        A---B---C---D
            E---F
        ' --way 'ABCD name=Main Street highway=residential surface=asphalt' \
        --way 'BEFC name=Mill Lane highway=track surface=asphalt'
        """
    ]
}
