"""Commands of repositories, such as their own tests, in a sandbox of their own."""
