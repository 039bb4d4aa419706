/// Readers and writers of the text formats that several domains share.
