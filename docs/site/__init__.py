"""The site of the documents: links, API pages, notebooks and the report, for MkDocs."""
